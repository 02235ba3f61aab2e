# The three programs of Requisite, statically linked, run by an unprivileged user. They share one image: the command says
# which program runs.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOFLAGS=-trimpath GOTOOLCHAIN=local
COPY go.mod go.sum ./
# Only tests use this module, but Go reads its requirements before it builds anything.
COPY internal/localpostgres/go.mod internal/localpostgres/
# starter calls the API with it.
COPY clients/go/go.mod clients/go/
RUN go mod download
COPY . .
# .git is not copied, so the version and the commit are passed in.
ARG VERSION=
ARG REVISION=
# The hash tells builds of changed files apart, with one name for all programs.
RUN sources=$(find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c1-12) && \
    go build -ldflags="-s -w -X requisite/internal/telemetry.linked=${VERSION} -X requisite/internal/telemetry.linkedRevision=${REVISION} -X requisite/internal/telemetry.linkedSources=${sources}" -o /out/bin/ ./api ./worker ./starter && install -d -m 700 /out/volumes/keys

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/bin/ /usr/local/bin/
# A new volume mounted at /keys gets this directory's owner and mode: only the user can read it. Copied with its parent,
# because some versions of BuildKit ignore --chmod on a directory.
COPY --from=build --chown=65532:65532 /out/volumes/ /
ENV PATH=/usr/local/bin
# Callers come from outside of the container.
ENV REQUISITE_LISTEN=0.0.0.0:8080
# Probes come from outside of the container: --health-listen.
ENV REQUISITE_HEALTH_LISTEN=0.0.0.0:8081
USER 65532:65532
EXPOSE 8080 8081
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="Requisite" \
      org.opencontainers.image.description="Required documents for compliance workflows, with signed webhooks" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# For the api, the worker and the codec endpoint. Commands that end are not asked.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["starter", "healthz", "http://127.0.0.1:8081"]
CMD ["api"]
