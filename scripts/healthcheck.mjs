// For a container's health check: exit code 0 when the service at this machine's port is ready.
const { LYNCEUS_PORT: port = '8080', LYNCEUS_PATH_PREFIX: prefix = '' } = process.env;
const answer = await fetch(`http://127.0.0.1:${port}${prefix}/readyz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
