import { findAllowedAddresses } from '../intake/allowed-host.js';
import { isUsualPort } from '../intake/check-address.js';
import { resolveHost } from '../intake/resolve-host.js';
import { DeliveryError } from './destination.js';
import type { DestinationDeps } from './destination-deps.js';

/** The addresses to connect to, and nothing else: those of the host, all allowed. Throws `not-allowed` or `unreachable`. */
export async function reachHost(
  { allowedNetworks, resolve = resolveHost }: DestinationDeps,
  {
    host,
    port,
    ownPorts,
  }: { readonly host: string; readonly port: number; readonly ownPorts: readonly number[] },
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!isUsualPort(port, ownPorts)) {
    throw new DeliveryError(
      'not-allowed',
      `port ${port} is not allowed; use ${ownPorts.join(', ')}, or one above 1023 that no other protocol is known for`,
    );
  }
  const found = await findAllowedAddresses(host, allowedNetworks, resolve, signal);
  if (found === 'no-address')
    throw new DeliveryError('unreachable', `the host ${host} has no address; check its name`);
  if (found === 'not-allowed') {
    throw new DeliveryError(
      'not-allowed',
      `the host ${host} is not a public one, and the operator has not allowed its network (deliveryAllowedNetworks)`,
    );
  }
  return found;
}
