import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { findAllowedAddresses } from '../intake/allowed-host.js';
import { isUsualPort } from '../intake/check-address.js';
import { resolveHost } from '../intake/resolve-host.js';
import { DeliveryError, type DestinationDeps } from './destination.js';

/** The addresses of a host, after the check that all are allowed; connect only to these. Throws `not-allowed` or `unreachable`. */
export async function reachHost(
  { allowedNetworks, resolve = resolveHost }: Pick<DestinationDeps, 'allowedNetworks' | 'resolve'>,
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
      `port ${port} is not allowed; use ${ownPorts.join(', ')}, or one above 1023 that is not the port of another protocol`,
    );
  }
  const found = await findAllowedAddresses(host, allowedNetworks, resolve, signal);
  if (found === 'no-address')
    throw new DeliveryError('unreachable', `the host ${host} has no address; check its name`);
  if (found === 'not-allowed') throw notAllowedNetwork(host);
  return found;
}

/** Names the setting by which the operator allows it. */
export function notAllowedNetwork(host: string): DeliveryError {
  const version = isIP(host);
  const network = version === 0 ? '192.168.1.0/24' : `${host}/${version === 4 ? 32 : 128}`;
  return new DeliveryError(
    'not-allowed',
    `the host ${host} has a private address, and the operator has not allowed its network (deliveryAllowedNetworks); the operator can set LYNCEUS_DELIVERY_ALLOWED_NETWORKS=${network}, or the network of the host, for the service and for commands`,
  );
}

/** Options of TLS that verify the remote server; verification is always on. */
type TlsIdentity = Required<
  Pick<ConnectionOptions, 'checkServerIdentity' | 'minVersion' | 'rejectUnauthorized'>
> &
  Pick<ConnectionOptions, 'servername' | 'ca' | 'allowPartialTrustChain'>;

/**
 * Trust in a host: configured certificates replace the known authorities. The server's own certificate among them is accepted
 * whatever its name, because self-signed certificates seldom have the correct one.
 */
export function identifyByTls(host: string, pem: string | undefined): TlsIdentity {
  const given = pem === undefined ? [] : parseCertificates(pem);
  return {
    ...(given.length === 0
      ? {}
      : // The server's own is enough, also where an authority has signed it.
        { ca: given.map((certificate) => certificate.toString()), allowPartialTrustChain: true }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) =>
      given.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256)
        ? undefined
        : checkServerIdentity(host, certificate),
  };
}

/** Throws `settings`. */
export function parseCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length > 0) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // Reported below.
  }
  throw new DeliveryError(
    'settings',
    'certificate cannot be read; give it in PEM, from BEGIN CERTIFICATE to END CERTIFICATE',
  );
}
