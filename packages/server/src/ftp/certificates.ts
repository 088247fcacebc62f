import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { CertificatePaths } from './certificate-files.js';

export interface Certificates {
  /** The newest that could be read. */
  readonly context: SecureContext;
  /** Ends the looking for changes. */
  close(): void;
}

export interface CertificateOptions {
  readonly paths: CertificatePaths;
  readonly checkIntervalMs: number;
  readonly onChange: () => void;
  /** What is there cannot be used; what was there before stays in use. */
  readonly onBadChange: (error: Error) => void;
}

/**
 * Reads a certificate and its key, and reads them again when a file changes. Throws when they cannot be used at first. Files are
 * looked at, not watched: those that are links in a mounted volume change without a word.
 */
export async function openCertificates(options: CertificateOptions): Promise<Certificates> {
  const { paths, checkIntervalMs, onChange, onBadChange } = options;
  let seen = await readMark(paths);
  let context = await readContext(paths);
  let isLooking = false;
  const look = async (): Promise<void> => {
    const mark = await readMark(paths);
    if (mark === seen) return;
    seen = mark;
    context = await readContext(paths);
    onChange();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => onBadChange(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        isLooking = false;
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
