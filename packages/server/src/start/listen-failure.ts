import type { Component } from '../core/lifecycle.js';
import { environmentName } from '../core/setting-names.js';
import type { Settings } from '../core/settings.js';

/** Which settings say where a component listens. */
interface ListenSettings {
  readonly port: keyof Settings & ('port' | 'ftpPort' | 'sftpPort' | 'metricsPort');
  readonly host: keyof Settings & ('host' | 'ftpHost' | 'sftpHost' | 'metricsHost');
}

/** A component cannot listen at its address; the message names the settings to change. */
class ListenFailure extends Error {
  override readonly name = 'ListenFailure';
}

/** The same component; a failure to listen names the settings of its address. */
export function namingItsPort<P extends Component>(component: P, settings: ListenSettings): P {
  const { start } = component;
  return Object.assign(component, {
    start: () =>
      start.call(component).catch((error: unknown) => {
        const message = explainListenFailure(error, settings);
        throw message === null ? error : new ListenFailure(message, { cause: error });
      }),
  });
}

/** Null for an error that did not come from listening. */
function explainListenFailure(error: unknown, settings: ListenSettings): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return null;
  const port = `Port ${'port' in error ? error.port : ''} (${environmentName(settings.port)})`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `${port} is in use. Stop the other program or choose another port.`;
    case 'EACCES':
      return `${port} may not be opened by this user. Choose a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL': {
      const host = 'address' in error ? error.address : 'hostname' in error ? error.hostname : '';
      return `${host} (${environmentName(settings.host)}) is no address of this machine. Choose one that is, or 0.0.0.0 for all.`;
    }
    default:
      return null;
  }
}
