import { ServiceError } from '../core/service-error.js';
import { findAllowedAddresses } from './allowed-host.js';
import type { Networks } from './public-address.js';
import type { ResolveHost } from './resolve-host.js';

/**
 * Ports above 1023 that the Fetch standard (section 2.8, "bad port") keeps browsers from: file sharing, telephony, X11,
 * mail, chat, and others that have mistaken HTTP for their own protocol.
 */
const badHighPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/** Whether a port is one of the protocol's own, or above 1023 and known for no other: low ports are for mail, shells, names. */
export function isUsualPort(port: number, own: readonly number[]): boolean {
  return own.includes(port) || (port > 1023 && !badHighPorts.has(port));
}

/** An address whose form is acceptable; where it leads is still to be checked. Throws `wrong_parameters`. */
export function parseImageAddress(text: string): URL {
  let address: URL;
  try {
    address = new URL(text.trim());
  } catch {
    throw new ServiceError('wrong_parameters', 'the image address is not an http or https address');
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new ServiceError('wrong_parameters', 'the image address is not an http or https address');
  }
  return address;
}

/**
 * Checks where an address leads and returns the IP addresses to connect to. Throws `address_not_allowed` or
 * `address_not_reachable`, neither of which says what a name resolved to.
 */
export async function checkImageAddress(
  address: URL,
  allowed: Networks,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (address.protocol !== 'http:' && address.protocol !== 'https:') throw notAllowed();
  if (address.username !== '' || address.password !== '') {
    throw new ServiceError('address_not_allowed', 'an image address may not hold a user name or password');
  }
  const port = address.port === '' ? 80 : Number(address.port);
  if (!isUsualPort(port, [80, 443])) {
    throw new ServiceError(
      'address_not_allowed',
      'an image address may use port 80, 443, or one above 1023 that no other protocol is known for',
    );
  }
  const found = await findAllowedAddresses(address.hostname, allowed, resolve, signal);
  if (found === 'no-address') {
    throw new ServiceError('address_not_reachable', 'the host of the image address has no address');
  }
  if (found === 'not-allowed') throw notAllowed();
  return found;
}

function notAllowed(): ServiceError {
  return new ServiceError(
    'address_not_allowed',
    'the image address, or one it redirects to, is not a public http or https address; the operator can allow its network (fetchAllowedNetworks)',
  );
}
