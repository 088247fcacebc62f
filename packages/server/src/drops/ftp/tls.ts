import { readFile, stat } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

export interface CertificatePaths {
  /** PEM, the whole chain. */
  readonly certificate: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

export type Certificates = Awaited<ReturnType<typeof openCertificates>>;

interface CertificateOptions {
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
export async function openCertificates(options: CertificateOptions) {
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
    /** The newest certificate that could be read. */
    get context(): SecureContext {
      return context;
    },
    /** Stops the checks for changes. */
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
