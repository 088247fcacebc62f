# Lynceus in a container. Build: docker build -t lynceus .   Run:
#   docker run -p 8080:8080 -v lynceus-data:/data -v lynceus-models:/models lynceus
# Debian with glibc: the parts in native code are built for it, not for Alpine's musl.

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
# Installs, bundles and stamps; then what builds goes, which the stamps do not mind. What only tests need never came.
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf bench test node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    LYNCEUS_HOST=0.0.0.0 \
    LYNCEUS_PORT=8080 \
    LYNCEUS_DATA_DIR=/data \
    LYNCEUS_MODELS_DIR=/models
# The image's own perl lacks the modules by which exiftool reads compressed notes and makes hashes.
RUN apt-get update && apt-get install -y --no-install-recommends perl && rm -rf /var/lib/apt/lists/*
# The code belongs to root and is only read; the service runs as a user without rights and writes to the volumes alone.
COPY --from=build /app /app
RUN mkdir /data /models && chown node:node /data /models
WORKDIR /app
USER node
VOLUME ["/data", "/models"]
EXPOSE 8080
STOPSIGNAL SIGTERM
# The first start fetches the models, about 50 MB, before it listens.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
# Node itself is the first process, so that SIGTERM arrives; docker run --init adds a reaper where one is wanted.
CMD ["node", "scripts/start.mjs"]
