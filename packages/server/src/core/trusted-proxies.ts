import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError } from './config-error.js';

/** The networks and addresses of a setting that names proxies. Throws a ConfigError naming what is neither. */
export function parseTrustedProxies(
  list: string,
  setting: 'trustedProxies' | 'ftpProxyProtocolFrom' | 'sftpProxyProtocolFrom' = 'trustedProxies',
): readonly string[] {
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
      `${setting}: ${entry} is no network such as 10.0.0.0/8 and no address such as 10.0.0.1`,
    );
  }
  return entries;
}

/** Whether an address is one of these; of IPv6, also where it stands for one of IPv4. */
export function createIsTrusted(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
