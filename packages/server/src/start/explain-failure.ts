import { StorageError } from '../storage/storage-error.js';

/** What stands in the way of a start, in words that say what to mend; no stack. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StorageError) return error.message;
  const address = listenAddress(error);
  if (!address) return error.message;
  switch (address.code) {
    case 'EADDRINUSE':
      return `Port ${address.port} on ${address.host} is taken by another program. Stop it, or set LYNCEUS_PORT (or LYNCEUS_METRICS_PORT) to a free one.`;
    case 'EACCES':
      return `This user may not listen on port ${address.port}. Set LYNCEUS_PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return `${address.host} is no address of this machine. Set LYNCEUS_HOST to one, or to 0.0.0.0 for all.`;
    default:
      return error.message;
  }
}

interface ListenAddress {
  readonly code: string;
  readonly host: string;
  readonly port: string;
}

/** The parts of a failed listen(); null for any other error. */
function listenAddress(error: Error): ListenAddress | null {
  if (!('syscall' in error) || !('code' in error)) return null;
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return null;
  const host = 'address' in error ? error.address : 'hostname' in error ? error.hostname : '';
  const port = 'port' in error ? error.port : '';
  return { code: String(error.code), host: String(host), port: String(port) };
}
