# The three programs of Requisite, static, as a user without rights. One image: what runs is the command.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOFLAGS=-trimpath GOTOOLCHAIN=local
COPY go.mod go.sum ./
# Tests start a Postgres with it; Go reads its requirements before it builds anything.
COPY internal/localpostgres/go.mod internal/localpostgres/
# starter calls the API with it.
COPY clients/go/go.mod clients/go/
RUN go mod download
COPY . .
# .git is not copied: what is built is named here.
ARG VERSION=
RUN go build -ldflags="-s -w -X requisite/internal/telemetry.linked=${VERSION}" -o /out/bin/ ./api ./worker ./starter && mkdir /out/keys

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/bin/ /usr/local/bin/
# A volume that is mounted here begins as this directory: writable for the user, and for nobody else.
COPY --from=build --chown=65532:65532 --chmod=700 /out/keys /keys
ENV PATH=/usr/local/bin
USER 65532:65532
EXPOSE 8080
CMD ["api"]
