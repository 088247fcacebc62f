import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

export interface CertificatePaths {
  /** PEM, the whole chain. */
  readonly certificate: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

const dayMs = 24 * 3600 * 1000;
const validDays = 3650;
/** One that soon ends is made anew at the start. */
const renewBeforeDays = 30;

/**
 * The service's own certificate, made when there is none or it ends soon: RSA of 2048 bits, which every camera's TLS knows.
 * The key is readable by the service's user alone.
 */
export async function ensureOwnCertificate(
  folder: string,
  hostName: string,
  nowMs: number,
): Promise<CertificatePaths> {
  const paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  if (await isGood(paths, nowMs)) return paths;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Needed once in years, and slow to load. The bundle gives packages in CommonJS that are loaded late no names of their own.
  const { default: selfsigned } = await import('selfsigned');
  const made = await selfsigned.generate([{ name: 'commonName', value: hostName }], {
    keyType: 'rsa',
    keySize: 2048,
    algorithm: 'sha256',
    // A little earlier, for clients whose clock is behind.
    notBeforeDate: new Date(nowMs - dayMs),
    notAfterDate: new Date(nowMs + validDays * dayMs),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [isIP(hostName) === 0 ? { type: 2, value: hostName } : { type: 7, ip: hostName }],
      },
    ],
  });
  await writeDurably(paths.key, made.private);
  await writeDurably(paths.certificate, made.cert);
  return paths;
}

/** Whether both are there, belong together and last for a while. */
async function isGood(paths: CertificatePaths, nowMs: number): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(paths.certificate));
    const key = createPrivateKey(await readFile(paths.key));
    return (
      certificate.checkPrivateKey(key) && Date.parse(certificate.validTo) - nowMs > renewBeforeDays * dayMs
    );
  } catch {
    return false;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  // What is there, of a service that was killed or of somebody else, would keep its own rights.
  await rm(`${path}.new`, { force: true });
  const file = await open(`${path}.new`, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
