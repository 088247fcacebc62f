import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { writeSecretFile } from '../servers/write-secret-file.js';
import type { CertificatePaths } from './tls.js';

/** A certificate and its key, in PEM. */
interface PemPair {
  readonly certificate: string;
  readonly key: string;
}

/** What clients may call the server; in the certificates that it makes. */
export interface CertificateNames {
  readonly hostName: string;
  readonly certificateAddresses: readonly string[];
}

const dayMs = 24 * 3600 * 1000;
const validDays = 3650;
/** A certificate that expires within this time is replaced at the start. */
const renewBeforeDays = 30;

/** Where the service keeps its own certificate. */
export function ownCertificatePaths(folder: string): CertificatePaths {
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
}

/** The service's own certificate; created when it is missing or expires soon. Only the service's user can read the key. */
export async function ensureOwnCertificate(
  folder: string,
  names: CertificateNames,
  nowMs: number,
): Promise<CertificatePaths> {
  const paths = ownCertificatePaths(folder);
  if ((await readOwnCertificate(paths, nowMs)) === null)
    await writeOwnCertificate(paths, await makeOwnCertificate(names, nowMs));
  return paths;
}

/** RSA of 2048 bits, which every camera's TLS supports. */
export async function makeOwnCertificate(
  { hostName, certificateAddresses }: CertificateNames,
  nowMs: number,
): Promise<PemPair> {
  // Needed once in years, and slow to load. In the bundle, a CommonJS package that is loaded lazily has a default export only.
  const { default: selfsigned } = await import('selfsigned');
  const made = await selfsigned.generate([{ name: 'commonName', value: hostName }], {
    keyType: 'rsa',
    keySize: 2048,
    algorithm: 'sha256',
    // One day earlier, for clients whose clock is slow.
    notBeforeDate: new Date(nowMs - dayMs),
    notAfterDate: new Date(nowMs + validDays * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [...new Set([hostName, ...certificateAddresses])].map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  });
  return { certificate: made.cert, key: made.private };
}

/** Null where one of the files is missing or damaged, they do not belong together, or the certificate expires soon. */
export async function readOwnCertificate(
  { certificate, key }: CertificatePaths,
  nowMs: number,
): Promise<PemPair | null> {
  try {
    const pair = { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') };
    return isGoodPair(pair, nowMs) ? pair : null;
  } catch {
    return null;
  }
}

/** Whether they belong together and the certificate does not expire soon. */
export function isGoodPair({ certificate, key }: PemPair, nowMs: number): boolean {
  try {
    const read = new X509Certificate(certificate);
    return (
      read.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(read.validTo) - nowMs > renewBeforeDays * dayMs
    );
  } catch {
    return false;
  }
}

/** Only the service's user can read the key. */
export async function writeOwnCertificate(
  paths: CertificatePaths,
  { certificate, key }: PemPair,
): Promise<void> {
  await writeSecretFile(paths.key, key);
  await writeSecretFile(paths.certificate, certificate);
}
