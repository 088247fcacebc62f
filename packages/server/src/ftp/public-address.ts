import ipaddr from 'ipaddr.js';
import { bareAddress } from './network-of.js';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** What clients of a network are told to connect to. */
export interface PublicAddress {
  readonly network: Network;
  /** IPv4. */
  readonly address: string;
}

/**
 * A list as `10.0.0.0/8=10.1.2.3, 0.0.0.0/0=203.0.113.5`, where the first network that holds the client counts; a lone address is
 * that of all clients. Throws an error that names the entry which is neither.
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
