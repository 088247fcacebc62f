import type { Settings } from '../../core/settings.js';
import { findAddresses } from '../../intake/allowed-host.js';
import { isUsualPort } from '../../intake/check-address.js';
import { isAllowedAddress, isWithin, parseNetworks } from '../../intake/public-address.js';
import { type ResolveHost, resolveHost } from '../../intake/resolve-host.js';
import { StreamFailure } from './stream-source.js';

/**
 * The IP addresses of a host, all of them allowed; connect to nothing else. Throws `StreamFailure`: `refused` or `unreachable`.
 */
export type ReachStreamHost = (host: string, port: number, signal: AbortSignal) => Promise<readonly string[]>;

type StreamHostSettings = Pick<Settings, 'streamAllowedNetworks' | 'openSignUp'>;

/** Cameras are in private networks: RFC 1918, and unique local addresses of IPv6 (RFC 4193). */
const privateNetworks = parseNetworks('', '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7');

/** Addresses within private networks at which clouds answer with the keys of a machine: AWS, Google and Oracle over IPv6. */
const metadataNetworks = parseNetworks('', 'fd00:ec2::/32, fd20:ce::/32, fd00:c1::/32');

/** Ports below 1024 that cameras use: HTTP and its neighbours, HTTPS, RTSP and RTSP over TLS. */
const cameraPorts = [80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 443, 554, 555, 322];

/**
 * Checks hosts of streams. Allowed are public and private addresses, but not loopback, link-local, multicast, and the metadata
 * services of clouds; where strangers open accounts by themselves, public addresses alone. With a list of networks (CIDR, comma
 * separated) the addresses in it and no others.
 * @throws Error naming an entry that is not a network
 */
export function createStreamHosts(
  { streamAllowedNetworks, openSignUp }: StreamHostSettings,
  resolve: ResolveHost = resolveHost,
): ReachStreamHost {
  const usual = openSignUp ? [] : privateNetworks;
  const listed = parseNetworks('streamAllowedNetworks', streamAllowedNetworks);
  const isAllowed = (ip: string): boolean =>
    listed.length > 0 ? isWithin(ip, listed) : isAllowedAddress(ip, usual) && !isWithin(ip, metadataNetworks);
  return async (host, port, signal) => {
    if (!isUsualPort(port, cameraPorts)) {
      throw new StreamFailure(
        'refused',
        `port ${port} is not allowed for streams; use a usual port of cameras or one above 1023`,
      );
    }
    const found = await findAddresses(host, isAllowed, resolve, signal);
    if (found === 'no-address')
      throw new StreamFailure('unreachable', `the host ${host} has no address; check its name`);
    if (found === 'not-allowed') {
      throw new StreamFailure(
        'refused',
        `the address of ${host} is not allowed; the operator can allow its network (streamAllowedNetworks)`,
      );
    }
    return found;
  };
}
