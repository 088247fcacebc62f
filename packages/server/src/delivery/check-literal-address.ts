import { isIP } from 'node:net';
import { isAllowedAddress, type Networks } from '../intake/public-address.js';
import type { DestinationSettings } from './destination-settings.js';
import { notAllowedNetwork } from './remote-host.js';

/**
 * Of a destination whose host is an IP address. One that is named is checked when it is connected to: what its name leads to may
 * change. Throws `not-allowed`.
 */
export function checkLiteralAddress(settings: DestinationSettings, allowed: Networks): void {
  const host = hostOf(settings)?.replace(/^\[|\]$/g, '');
  if (host === undefined || isIP(host) === 0 || isAllowedAddress(host, allowed)) return;
  throw notAllowedNetwork(host);
}

function hostOf(settings: DestinationSettings): string | undefined {
  switch (settings.kind) {
    case 'ftp':
    case 'ftps':
    case 'sftp':
      return settings.host;
    case 's3':
      return hostOfUrl(settings.endpoint);
    case 'http':
      return hostOfUrl(settings.address);
    case 'folder':
      return undefined;
  }
}

/** What is no address is refused elsewhere, with another reason. */
function hostOfUrl(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
