# The three programs of Requisite, statically linked, run by an unprivileged user. They share one image: the command says
# which program runs. deploy/image/build.sh passes the arguments for the commit that is checked out.
ARG GO_IMAGE=golang:1.26.11-bookworm
FROM ${GO_IMAGE} AS build
WORKDIR /src
ENV GOTOOLCHAIN=local
COPY go.mod go.sum ./
# Only tests use this module, but Go reads its requirements before it builds anything.
COPY internal/localpostgres/go.mod internal/localpostgres/
# starter calls the API with it.
COPY clients/go/go.mod clients/go/
COPY kms/go.* kms/
COPY deploy/image/tool/go.* deploy/image/tool/
# KMS=yes builds the programs of kms/, which support key management services.
ARG KMS=
RUN go -C "./${KMS:+kms}" mod download && go -C deploy/image/tool mod download
COPY . .
# .git is not copied, so the version and the commit are passed in.
ARG VERSION=
ARG REVISION=
RUN sh deploy/image/programs.sh /out/image/usr/local/bin
RUN sh deploy/image/sbom.sh /out/image/usr/local/bin /out/image/usr/local/share/sbom && \
    sh deploy/image/notices.sh /out/image/usr/local/bin /out/image/usr/local/share/licenses
# Files have the time of the commit, not of the build.
ARG SOURCE_DATE_EPOCH=
RUN install -D -m 644 /etc/ssl/certs/ca-certificates.crt /out/image/etc/ssl/certs/ca-certificates.crt && \
    install -d -m 700 /out/volumes/keys /out/volumes/keys/kek /out/volumes/keys/payload && chmod -R u=rwX,go=rX /out/image && \
    find /out -exec touch --date="@${SOURCE_DATE_EPOCH:-0}" {} +

FROM scratch
COPY --from=build /out/image/ /
# A new volume mounted at /keys/kek or /keys/payload gets this directory's owner and mode: only the user can read it. Copied
# with its parent, because some versions of BuildKit ignore --chmod on a directory.
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
ARG SOURCE=
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Requisite" \
      org.opencontainers.image.description="Required documents for compliance workflows, with signed webhooks" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.created="${CREATED}"
# For the api, the worker and the codec endpoint. Commands that end are not asked.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["starter", "healthz", "http://127.0.0.1:8081"]
CMD ["api"]
