import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { DeliveryError } from './destination.js';

/** What TLS needs in order to know the far side. It is always verified. */
export type TlsIdentity = Required<
  Pick<ConnectionOptions, 'checkServerIdentity' | 'minVersion' | 'rejectUnauthorized'>
> &
  Pick<ConnectionOptions, 'servername' | 'ca'>;

/**
 * Who is trusted to be a host: certificates that are given instead of the known authorities. The server's own among them is
 * taken for it whatever name it bears, for those who sign themselves seldom get the name right.
 */
export function identifyByTls(host: string, pem: string | undefined): TlsIdentity {
  const given = pem === undefined ? [] : parseCertificates(pem);
  return {
    ...(given.length === 0 ? {} : { ca: given.map((certificate) => certificate.toString()) }),
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
    // Told below.
  }
  throw new DeliveryError(
    'settings',
    'certificate cannot be read; give it in PEM, from BEGIN CERTIFICATE to END CERTIFICATE',
  );
}
