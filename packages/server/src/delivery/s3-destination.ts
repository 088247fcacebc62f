import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { lookUpChecked } from '../intake/allowed-host.js';
import { DeliveryError, type DeliveryLimits, type DestinationDeps } from './destination.js';
import type { DestinationSecrets, S3Settings } from './destination-settings.js';
import { splitFolder, type UseRemoteFolder } from './remote-folder.js';
import { identifyByTls, reachHost } from './remote-host.js';

/** Amazon S3 and compatible stores. */
export function useS3Folder(
  settings: S3Settings,
  { secretAccessKey }: DestinationSecrets,
  limits: DeliveryLimits,
  deps: DestinationDeps,
): UseRemoteFolder {
  if (secretAccessKey === undefined)
    throw new DeliveryError('settings', 's3 needs the secret secret_access_key');
  const endpoint = new URL(settings.endpoint);
  const port = Number(endpoint.port) || (endpoint.protocol === 'https:' ? 443 : 80);
  const endpointHost = endpoint.hostname.replace(/^\[|\]$/g, '');
  // Only such names can be part of a host name; a certificate for *.HOST does not cover a name with dots.
  const isHostName = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(settings.bucket);
  const isPathStyle = settings.pathStyle !== false || isIP(endpointHost) !== 0 || !isHostName;
  const host = isPathStyle ? endpointHost : `${settings.bucket}.${endpointHost}`;
  const base = splitFolder(settings.prefix ?? '').parts;
  const tls = identifyByTls(host, settings.certificate);

  return async (folders, signal, use) => {
    // Amazon's client is large; it is loaded when a delivery needs it.
    const { createS3Client } = await import('./s3-client.js');
    const { createS3Folder } = await import('./s3-folder.js');
    const ips = await reachHost(deps, { host, port, ownPorts: [80, 443] }, signal);
    const connecting = { keepAlive: true, lookup: lookUpChecked(ips) };
    const httpAgent = new HttpAgent(connecting);
    const httpsAgent = new HttpsAgent({ ...connecting, ...tls });
    const client = createS3Client({ settings, secretAccessKey, isPathStyle, limits, httpAgent, httpsAgent });
    const close = () => {
      client.destroy();
      httpAgent.destroy();
      httpsAgent.destroy();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      const prefix = [...base, ...folders].map((part) => `${part}/`).join('');
      const folder = createS3Folder({
        client,
        bucket: settings.bucket,
        prefix,
        address: endpoint.origin,
        withKeyLock: deps.withKeyLock,
        signal,
      });
      return await use(folder);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  };
}
