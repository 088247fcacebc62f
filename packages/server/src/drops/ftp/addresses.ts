import ipaddr from 'ipaddr.js';
import { bareAddress } from '../servers/client-network.js';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The address that PASV announces to clients of a network. */
export interface PublicAddress {
  readonly network: Network;
  /** IPv4. */
  readonly address: string;
}

/**
 * Parses a list such as `10.0.0.0/8=10.1.2.3, 0.0.0.0/0=203.0.113.5`. The first network that contains the client applies; an
 * address without a network applies to all clients. Throws an error that names an invalid entry.
 */
export function parsePublicAddresses(list: string): readonly PublicAddress[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map(parseEntry);
}

function parseEntry(entry: string): PublicAddress {
  const [network = '', address = network] = entry.split('=').map((part) => part.trim());
  const isEverywhere = !entry.includes('=');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) || !(isEverywhere || ipaddr.isValidCIDR(network))) {
    throw new Error(`${entry} is no IPv4 address, and no network with one such as 10.0.0.0/8=10.1.2.3`);
  }
  return { network: ipaddr.parseCIDR(isEverywhere ? '0.0.0.0/0' : network), address };
}

/** Null when none is set for this client. */
export function findPublicAddress(list: readonly PublicAddress[], client: string): string | null {
  const bare = bareAddress(client);
  if (!ipaddr.isValid(bare)) return null;
  const address = ipaddr.process(bare);
  const found = list.find(
    ({ network: [base, bits] }) => base.kind() === address.kind() && address.match(base, bits),
  );
  return found?.address ?? null;
}

export interface ActiveTarget {
  readonly address: string;
  readonly port: number;
}

/** RFC 959: `h1,h2,h3,h4,p1,p2`; null for any other text. */
export function parsePort(text: string): ActiveTarget | null {
  const numbers = text.trim().split(',');
  if (numbers.length !== 6 || !numbers.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return null;
  const [high = 0, low = 0] = numbers.slice(4).map(Number);
  return { address: numbers.slice(0, 4).map(Number).join('.'), port: high * 256 + low };
}

/** RFC 2428: `|1|132.235.1.2|6275|`, with any separator; `protocol` when the address family is neither 1 nor 2. */
export function parseExtendedPort(text: string): ActiveTarget | 'protocol' | null {
  const separator = text.charAt(0);
  const parts = text.split(separator);
  const [, family = '', address = '', port = ''] = parts;
  if (separator === '' || parts.length !== 5 || !/^\d{1,5}$/.test(port) || Number(port) > 65535) return null;
  if (family !== '1' && family !== '2') return 'protocol';
  const isRight = family === '1' ? ipaddr.IPv4.isValidFourPartDecimal(address) : ipaddr.IPv6.isValid(address);
  return isRight ? { address: ipaddr.parse(address).toString(), port: Number(port) } : null;
}
