import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

export interface CertificatePaths {
  /** PEM, the whole chain. */
  readonly certificate: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

const dayMs = 24 * 3600 * 1000;
const validDays = 3650;
/** A certificate that expires within this time is replaced at the start. */
const renewBeforeDays = 30;

/**
 * The service's own certificate; created when it is missing or expires soon. RSA of 2048 bits, which every camera's TLS supports.
 * Only the service's user can read the key.
 */
export async function ensureOwnCertificate(
  folder: string,
  hostName: string,
  nowMs: number,
): Promise<CertificatePaths> {
  const paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  if (await isGood(paths, nowMs)) return paths;
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
        altNames: [isIP(hostName) === 0 ? { type: 2, value: hostName } : { type: 7, ip: hostName }],
      },
    ],
  });
  await writeDurably(paths.key, made.private);
  await writeDurably(paths.certificate, made.cert);
  return paths;
}

/** Whether both files exist, belong together and do not expire soon. */
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
  // An existing file, left by a killed service or by another user, would keep its own permissions.
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

export interface Certificates {
  /** The newest certificate that could be read. */
  readonly context: SecureContext;
  /** Stops the checks for changes. */
  close(): void;
}

export interface CertificateOptions {
  readonly paths: CertificatePaths;
  readonly checkIntervalMs: number;
  readonly onChange: () => void;
  /** The changed files cannot be used; the previous certificate stays in use. */
  readonly onBadChange: (error: Error) => void;
}

/**
 * Reads a certificate and its key, and reloads them when a file changes. Throws when they cannot be used at the start. The files
 * are polled, because links in a mounted volume change without a file-system event.
 */
export async function openCertificates(options: CertificateOptions): Promise<Certificates> {
  const { paths, checkIntervalMs, onChange, onBadChange } = options;
  let seen = await readMark(paths);
  let context = await readContext(paths);
  let isChecking = false;
  const check = async (): Promise<void> => {
    const mark = await readMark(paths);
    if (mark === seen) return;
    seen = mark;
    context = await readContext(paths);
    onChange();
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((error: unknown) => onBadChange(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        isChecking = false;
      });
  }, checkIntervalMs);
  timer.unref();
  return {
    get context() {
      return context;
    },
    close: () => clearInterval(timer),
  };
}

async function readMark({ certificate, key }: CertificatePaths): Promise<string> {
  const marks = [certificate, key].map(async (path) => {
    const found = await stat(path).catch(() => null);
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none';
  });
  return (await Promise.all(marks)).join(', ');
}

async function readContext({ certificate, key }: CertificatePaths): Promise<SecureContext> {
  try {
    return createSecureContext({
      cert: await readFile(certificate),
      key: await readFile(key),
      minVersion: 'TLSv1.2',
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The certificate ${certificate} with the key ${key} cannot be used: ${why}`, { cause });
  }
}

/** The server side of TLS over a stream; null when the handshake fails or takes too long: the stream is then unusable. */
export async function openTls(
  stream: Duplex,
  secureContext: SecureContext,
  timeoutMs: number,
  highWaterMark?: number,
): Promise<TLSSocket | null> {
  // TLSSocket accepts `highWaterMark`, but Node's types do not declare it.
  const options = { isServer: true, secureContext, highWaterMark };
  const socket = new TLSSocket(stream, options);
  let timer: NodeJS.Timeout | undefined;
  const isOpen = await new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
    socket.once('secure', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    stream.once('close', () => resolve(false));
  });
  clearTimeout(timer);
  if (isOpen) return socket;
  socket.destroy();
  return null;
}
