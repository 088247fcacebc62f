import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../core/service-error.js';

/** The networks as they are kept. Throws `wrong_parameters` for what is none, and for one that has half the world. */
export function checkNetworks(networks: readonly string[]): readonly string[] {
  const checked = networks.map((network) => network.trim());
  for (const network of checked) {
    const [address = '', bits] = network.split('/');
    const isNetwork = ipaddr.isValidCIDR(network) && isNarrow(network);
    if (isIP(address) !== 0 && (bits === undefined || isNetwork)) continue;
    throw new ServiceError(
      'wrong_parameters',
      `allowed_networks: ${network} is no network such as 192.168.1.0/24 and no address such as 192.168.1.7; none may be wider than /8, or /7 of IPv6`,
    );
  }
  return [...new Set(checked)];
}

const allIpv4 = ipaddr.IPv6.parse('::ffff:0.0.0.0');
/** Private networks are no wider: 10.0.0.0/8, fc00::/7. A few wider ones would be all addresses that there are. */
const leastBits = { ipv4: 8, ipv6: 7, ipv4InIpv6: 96 + 8 };

function isNarrow(network: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(network);
  if (!(address instanceof ipaddr.IPv6)) return bits >= leastBits.ipv4;
  const hasIpv4 = allIpv4.match(address, Math.min(bits, 96));
  return bits >= (hasIpv4 ? leastBits.ipv4InIpv6 : leastBits.ipv6);
}

/** Throws `wrong_parameters` for what no listener can be at. */
export function checkListenHost(host: string): string {
  if (isIP(host) !== 0) return host;
  throw new ServiceError(
    'wrong_parameters',
    `host: ${host} is no address of this machine such as 127.0.0.1, and not 0.0.0.0 or :: for all of them`,
  );
}
