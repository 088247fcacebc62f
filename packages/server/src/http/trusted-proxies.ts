import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError } from '../config/config-error.js';

/** The networks and addresses of the setting `trustedProxies`. Throws a ConfigError naming what is neither. */
export function parseTrustedProxies(list: string): readonly string[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    // With /0 every client would choose by which address it is limited.
    const isNetwork = ipaddr.isValidCIDR(entry) && Number(bits) > 0;
    if (isIP(address) !== 0 && (bits === undefined || isNetwork)) continue;
    throw new ConfigError(
      `trustedProxies: ${entry} is no network such as 10.0.0.0/8 and no address such as 10.0.0.1`,
    );
  }
  return entries;
}
