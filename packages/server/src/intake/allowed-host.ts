import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isAllowedAddress, type Networks } from './public-address.js';
import type { ResolveHost } from './resolve-host.js';

type HostProblem = 'not-allowed' | 'no-address';

/**
 * The IP addresses that a host's name leads to; connecting to anything else would undo the check. Every one of them must be
 * allowed: one private among public ones is a trick.
 */
export function findAllowedAddresses(
  name: string,
  allowed: Networks,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly string[] | HostProblem> {
  return findAddresses(name, (ip) => isAllowedAddress(ip, allowed), resolve, signal);
}

/** The same by a rule of the caller's. */
export async function findAddresses(
  name: string,
  isAllowed: (ip: string) => boolean,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly string[] | HostProblem> {
  const host = name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const found = isIP(host) === 0 ? await resolve(host, signal) : [host];
  if (found.length === 0) return 'no-address';
  return found.every(isAllowed) ? found : 'not-allowed';
}

/**
 * Answers the checked addresses, whatever name is asked for. Asked at the moment of connecting: a name that has moved meanwhile
 * leads where it was checked.
 */
export function lookUpChecked(ips: readonly string[]): LookupFunction {
  const found = ips.map((ip) => ({ address: ip, family: isIPv6(ip) ? 6 : 4 }));
  return (_host, options, done) => {
    const [first] = found;
    if (options.all === true) done(null, found);
    else if (first === undefined) done(new Error('no address'), '', 0);
    else done(null, first.address, first.family);
  };
}
