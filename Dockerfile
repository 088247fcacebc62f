# Lynceus in a container. Build: docker build -t lynceus .   Run:
#   docker run -p 8080:8080 -v lynceus-data:/data -v lynceus-models:/models lynceus
# Debian with glibc: the parts in native code are built for it, not for Alpine's musl.

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
# Installs, bundles and stamps; then what builds goes, which the stamps do not mind. What only tests need never came.
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Of packages in native code: binaries for other machines, and sources.
RUN cd node_modules && rm -rf onnxruntime-node/bin/*/darwin onnxruntime-node/bin/*/win32 @libsql/*-musl \
    usearch/prebuilds/darwin-* usearch/prebuilds/win32-* usearch/c usearch/cpp usearch/include usearch/numkong \
  && for other in x64 arm64; do \
    test "$other" = "$(node -p process.arch)" || rm -rf onnxruntime-node/bin/*/linux/$other usearch/prebuilds/linux-$other; \
  done

FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    LYNCEUS_HOST=0.0.0.0 \
    LYNCEUS_PORT=8080 \
    LYNCEUS_DATA_DIR=/data \
    LYNCEUS_MODELS_DIR=/models
# The image's own perl lacks the modules by which exiftool reads compressed notes and makes hashes.
# Live streams and videos need ffmpeg, which is larger than all the rest: --build-arg PROGRAMS="perl ffmpeg" adds it.
ARG PROGRAMS=perl
RUN apt-get update && apt-get install -y --no-install-recommends $PROGRAMS \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# The code belongs to root and is only read. A number instead of a name, so that an orchestrator sees that it is not root.
# The group 0 may write as well: some orchestrators choose a user of their own, with that group.
COPY --from=build /app /app
RUN mkdir /data /models && chown 10001:0 /data /models && chmod 770 /data /models
WORKDIR /app
USER 10001:10001
VOLUME ["/data", "/models"]
EXPOSE 8080
STOPSIGNAL SIGTERM
# The first start downloads the models before it listens. Readiness, so that what waits for this container can use it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
# Node itself is the first process, so that SIGTERM arrives; docker run --init adds a reaper where one is wanted.
CMD ["node", "scripts/start.mjs"]
