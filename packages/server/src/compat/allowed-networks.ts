import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../core/service-error.js';

/** The networks as they are kept. Throws `wrong_parameters` for what is none, and for all addresses there are. */
export function checkNetworks(networks: readonly string[]): readonly string[] {
  const checked = networks.map((network) => network.trim());
  for (const network of checked) {
    const [address = '', bits] = network.split('/');
    const isNetwork = ipaddr.isValidCIDR(network) && Number(bits) > 0 && !holdsIpv4(network);
    if (isIP(address) !== 0 && (bits === undefined || isNetwork)) continue;
    throw new ServiceError(
      'wrong_parameters',
      `allowed_networks: ${network} is no network such as 192.168.1.0/24 and no address such as 192.168.1.7; no network may hold all addresses`,
    );
  }
  return [...new Set(checked)];
}

const allIpv4 = ipaddr.IPv6.parse('::ffff:0.0.0.0');

/** Whether it has every address of IPv4, as they are written in IPv6. */
function holdsIpv4(network: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(network);
  return address instanceof ipaddr.IPv6 && bits <= 96 && allIpv4.match(address, bits);
}

/** Throws `wrong_parameters` for what no listener can be at. */
export function checkListenHost(host: string): string {
  if (isIP(host) !== 0) return host;
  throw new ServiceError(
    'wrong_parameters',
    `host: ${host} is no address of this machine such as 127.0.0.1, and not 0.0.0.0 or :: for all of them`,
  );
}
