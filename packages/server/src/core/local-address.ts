import type { Settings } from './settings.js';

/** Where a service of these settings is reached on its own machine: what listens on every address listens on loopback. */
export function localAddress({
  host,
  port,
  pathPrefix,
}: Pick<Settings, 'host' | 'port' | 'pathPrefix'>): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}${pathPrefix}`;
}
