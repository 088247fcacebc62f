import { isIPv6 } from 'node:net';
import {
  type DestinationSecrets,
  type DestinationSettings,
  type SecretName,
  secretsOf,
} from './destination-settings.js';

interface ShownDestination {
  readonly settings: DestinationSettings;
  /** The names of the secrets that are set. */
  readonly secrets: readonly SecretName[];
}

/** A destination for display, without its secrets. */
export function showDestination(
  settings: DestinationSettings,
  secrets: DestinationSecrets,
): ShownDestination {
  return { settings, secrets: secretsOf[settings.kind].filter((name) => secrets[name] !== undefined) };
}

/** A destination on one line: `sftp://user@host:2222/folder`. */
export function describeDestination(settings: DestinationSettings): string {
  switch (settings.kind) {
    case 'folder':
      return settings.folder;
    case 'http':
      return settings.address;
    case 's3':
      return [settings.endpoint.replace(/\/$/, ''), settings.bucket, ...partsOf(settings.prefix)].join('/');
    default: {
      const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;
      const port = settings.port === undefined ? '' : `:${settings.port}`;
      return [`${settings.kind}://${settings.user}@${host}${port}`, ...partsOf(settings.folder)].join('/');
    }
  }
}

function partsOf(folder: string | undefined): readonly string[] {
  return (folder ?? '').split('/').filter((part) => part !== '');
}
