import type { Stats } from 'ssh2';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import { DeliveryError } from './destination.js';
import { hashOf, type OutgoingFile } from './outgoing-file.js';
import { noFileSize, type RemoteFolder } from './remote-folder.js';
import { temporaryName } from './remote-names.js';
import { explainSftpFailure, type SftpSession, sftpStatus, statusOf } from './sftp-session.js';

interface SftpFolderOptions {
  readonly session: SftpSession;
  /** The path of the folder; empty for the start folder of the log-in. */
  readonly folder: string;
  /** The folder for display: `sftp://host/folder`. */
  readonly address: string;
  readonly withKeyLock: WithKeyLock;
  readonly signal: AbortSignal;
}

export function createSftpFolder({
  session,
  folder,
  address,
  withKeyLock,
  signal,
}: SftpFolderOptions): RemoteFolder {
  const { sftp, call } = session;
  const at = (name: string) => (folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`);
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explainSftpFailure(error, what);
    }
  };
  const findSize = (name: string) =>
    attempt(`looking for ${name}`, async () => {
      const found = await findEntry(session, at(name));
      if (found === null) return null;
      return found.isFile() ? found.size : noFileSize;
    });
  const remove = (name: string) => attempt(`removing ${name}`, () => unlink(session, at(name)));
  const discard = (temporary: string) => unlink(session, at(temporary)).catch(() => undefined);

  /** SFTP 3 forbids that a rename replaces a file. Most servers comply; for the others the name is checked first. */
  const finish = async (temporary: string, name: string, mayReplace: boolean) => {
    if (mayReplace) {
      await attempt(`renaming ${temporary} to ${name}`, () => replace(session, at(temporary), at(name)));
      return 'put';
    }
    try {
      if ((await findEntry(session, at(name))) === null) {
        await call<void>((done) => sftp.rename(at(temporary), at(name), (error) => done(error, undefined)));
        return 'put';
      }
    } catch (error) {
      if ((await findEntry(session, at(name))) === null) {
        throw explainSftpFailure(error, `renaming ${temporary} to ${name}`);
      }
    }
    await discard(temporary);
    return 'taken';
  };

  return {
    findSize,
    remove,
    listNames: () =>
      attempt('listing the folder', async () => {
        const entries = await call<readonly { readonly filename: string }[]>((done) =>
          sftp.readdir(folder === '' ? '.' : folder, done),
        );
        return entries.map(({ filename }) => filename);
      }),
    async isSame(name, file) {
      const content = sftp.createReadStream(at(name));
      // A failed close is reported once more, after the file has been read.
      content.on('error', () => undefined);
      try {
        return (await session.untilLost(hashOf(content))) === file.sha256;
      } catch (error) {
        // Some servers permit uploads only; the size then decides.
        if (statusOf(error) === sftpStatus.permissionDenied) return true;
        throw explainSftpFailure(error, `reading ${name} back`);
      }
    },
    async put(name, file, mayReplace) {
      const temporary = temporaryName(file);
      try {
        await writeFile(session, at(temporary), file, signal);
      } catch (error) {
        const failure = await explainWriteFailure(session, folder, file, error);
        await discard(temporary);
        throw failure;
      }
      const size = await findSize(temporary);
      if (size !== file.sizeBytes) {
        await discard(temporary);
        throw new DeliveryError(
          'mismatch',
          `the server has ${size ?? 'none'} of the ${file.sizeBytes} bytes of ${name}`,
        );
      }
      const done = await withKeyLock(`${address}/${name.toLowerCase()}`, () =>
        finish(temporary, name, mayReplace),
      );
      if (done === 'put' && (await findSize(name)) !== file.sizeBytes) {
        throw new DeliveryError('mismatch', `the server no longer has all of ${name} after renaming it`);
      }
      return done === 'put' ? 'put' : 'taken';
    },
    describeLocation: (name) => `${address}/${name}`,
  };
}

export async function findEntry(session: SftpSession, path: string): Promise<Stats | null> {
  try {
    return await session.call<Stats>((done) => session.sftp.lstat(path, done));
  } catch (error) {
    if (statusOf(error) === sftpStatus.noSuchFile) return null;
    throw error;
  }
}

function unlink(session: SftpSession, path: string): Promise<void> {
  return session.call<void>((done) => session.sftp.unlink(path, (error) => done(error, undefined)));
}

/** Atomic where the server has OpenSSH's extension. */
async function replace(session: SftpSession, from: string, to: string): Promise<void> {
  try {
    await session.call<void>((done) =>
      session.sftp.ext_openssh_rename(from, to, (error) => done(error, undefined)),
    );
  } catch (error) {
    const status = statusOf(error);
    if (status !== null && status !== sftpStatus.unsupported) throw error;
    if ((await findEntry(session, to)) !== null) await unlink(session, to);
    await session.call<void>((done) => session.sftp.rename(from, to, (failure) => done(failure, undefined)));
  }
}

/** SFTP 3 has no code for a full disk; servers with OpenSSH's extension report the free space. */
async function explainWriteFailure(
  session: SftpSession,
  folder: string,
  file: OutgoingFile,
  error: unknown,
): Promise<DeliveryError> {
  const failure = explainSftpFailure(error, `sending ${file.name}`);
  if (statusOf(error) !== sftpStatus.failure) return failure;
  const freeBytes = await findFreeBytes(session, folder === '' ? '.' : folder);
  return freeBytes !== null && freeBytes < file.sizeBytes
    ? new DeliveryError('full', 'the disk of the server is full; free some space there')
    : failure;
}

async function findFreeBytes(session: SftpSession, path: string): Promise<number | null> {
  try {
    const facts = await session.call<unknown>((done) => session.sftp.ext_openssh_statvfs(path, done));
    if (typeof facts !== 'object' || facts === null) return null;
    const blockBytes: unknown = Reflect.get(facts, 'f_frsize');
    const blocks: unknown = Reflect.get(facts, 'f_bavail');
    return Number(blockBytes) * Number(blocks);
  } catch {
    return null;
  }
}

/** The size of a request that every server accepts, by draft-ietf-secsh-filexfer-02 section 3. */
const requestBytes = 32 * 1024;
/** Requests in flight: 1 MiB in total, which hides the latency of a distant server. */
const maxRequests = 32;

/** Writes a file, and syncs it to disk where the server supports that. */
export async function writeFile(
  session: SftpSession,
  path: string,
  file: OutgoingFile,
  signal: AbortSignal,
): Promise<void> {
  const { sftp, call } = session;
  const handle = await call<Buffer>((done) => sftp.open(path, 'w', done));
  try {
    await writeAll(session, handle, file.read(signal));
    await call<unknown>((done) => sftp.ext_openssh_fsync(handle, done)).catch(forgiveUnknown);
  } finally {
    await call<void>((done) => sftp.close(handle, (error) => done(error, undefined)));
  }
}

async function writeAll(
  { sftp, call }: SftpSession,
  handle: Buffer,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  let failure: unknown = null;
  let position = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += requestBytes) {
      const length = Math.min(requestBytes, chunk.length - start);
      const at = position;
      const written: Promise<void> = call<void>((done) =>
        sftp.write(handle, chunk, start, length, at, (error) => done(error, undefined)),
      ).catch((error: unknown) => {
        failure ??= error;
      });
      const settled = written.then(() => void pending.delete(settled));
      pending.add(settled);
      position += length;
      if (pending.size >= maxRequests) await Promise.race(pending);
      if (failure !== null) throw failure;
    }
  }
  await Promise.all(pending);
  if (failure !== null) throw failure;
}

/** Ignores the error of a missing extension: the library throws without a status, or the server answers `unsupported`. */
function forgiveUnknown(error: unknown): void {
  const status = statusOf(error);
  if (status !== null && status !== sftpStatus.unsupported) throw error;
}
