import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { type Client, FTPError } from 'basic-ftp';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import { DeliveryError } from './destination.js';
import { explainFailure, quoteRemote } from './explain-failure.js';
import type { OutgoingFile } from './outgoing-file.js';
import { noFileSize, type RemoteFolder } from './remote-folder.js';
import { temporaryName } from './remote-names.js';

interface FtpFolderOptions {
  readonly client: Client;
  /** The address of the client's current folder for display: `ftp://host/folder`. */
  readonly address: string;
  readonly withKeyLock: WithKeyLock;
  readonly signal: AbortSignal;
}

/** The current folder of a client. */
export function createFtpFolder({ client, address, withKeyLock, signal }: FtpFolderOptions): RemoteFolder {
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explainFtpFailure(error, what);
    }
  };
  const list = () => attempt('listing the folder', () => client.list());

  const findSize = async (name: string): Promise<number | null> => {
    try {
      return await client.size(name);
    } catch (error) {
      if (isNotThere(error)) return null;
      if (!isUnknownCommand(error)) throw explainFtpFailure(error, `looking for ${name}`);
      const found = (await list()).find((entry) => entry.name === name);
      return found?.isDirectory ? noFileSize : (found?.size ?? null);
    }
  };
  const remove = (name: string) => attempt(`removing ${name}`, async () => void (await client.remove(name)));

  /**
   * RFC 959 leaves open whether RNTO replaces a file. Most servers do: the name is checked first. Some refuse: the file is
   * removed first.
   */
  const finish = async (temporary: string, name: string, mayReplace: boolean) => {
    const isTaken = (await findSize(name)) !== null;
    if (isTaken && !mayReplace) {
      await client.remove(temporary);
      return 'taken';
    }
    try {
      await client.rename(temporary, name);
    } catch (error) {
      if (!isTaken) throw explainFtpFailure(error, `renaming ${temporary} to ${name}`);
      await remove(name);
      await attempt(`renaming ${temporary} to ${name}`, () => client.rename(temporary, name));
    }
    return 'put';
  };

  return {
    findSize,
    remove,
    async listNames() {
      return (await list()).map(({ name }) => name);
    },
    async isSame(name, file) {
      const hash = createHash('sha256');
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          done();
        },
      });
      try {
        await client.downloadTo(sink, name);
      } catch (error) {
        // Some servers permit uploads only; the size then decides.
        if (isNotThere(error) || isUnknownCommand(error)) return true;
        throw explainFtpFailure(error, `reading ${name} back`);
      }
      return hash.digest('hex') === file.sha256;
    },
    async put(name, file, mayReplace) {
      const temporary = temporaryName(file);
      await sendFile(client, temporary, file, signal);
      const size = await findSize(temporary);
      if (size !== file.sizeBytes) {
        await client.remove(temporary).catch(() => undefined);
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
      return done;
    },
    describeLocation: (name) => `${address}/${name}`,
  };
}

async function sendFile(
  client: Client,
  temporary: string,
  file: OutgoingFile,
  signal: AbortSignal,
): Promise<void> {
  const source = Readable.from(file.read(signal), { objectMode: false });
  // The library reports an unreadable local file as a failed connection.
  let readingError: unknown = null;
  source.on('error', (error) => {
    readingError = error;
  });
  try {
    await client.uploadFrom(source, temporary);
  } catch (error) {
    const failure =
      readingError instanceof DeliveryError ? readingError : explainFtpFailure(error, `sending ${file.name}`);
    if (!client.closed) await client.remove(temporary).catch(() => undefined);
    throw failure;
  } finally {
    source.destroy();
  }
}

/** Converts a server's refusal, by the codes of RFC 959 section 4.2. */
export function explainFtpFailure(error: unknown, whatFailed: string): DeliveryError {
  if (!(error instanceof FTPError)) {
    if (error instanceof Error && /^Timeout/.test(error.message)) {
      return new DeliveryError('unreachable', `the server stopped answering while ${whatFailed}`);
    }
    return explainFailure(error);
  }
  const said = `the server says ${quoteRemote(error.message)} while ${whatFailed}`;
  if (error.code === 530 || error.code === 331 || error.code === 332) {
    return new DeliveryError('credentials', `${said}; check user name and password`);
  }
  if (
    error.code === 452 ||
    error.code === 552 ||
    /no space|disk full|quota|writing to local file/i.test(error.message)
  ) {
    return new DeliveryError('full', `${said}; free some space there`);
  }
  if (error.code === 421 || error.code === 425 || error.code === 426)
    return new DeliveryError('unreachable', said);
  return new DeliveryError('refused', `${said}; check the folder and the rights of the user`);
}

/** Whether a server does not support a command, or not with these arguments. */
function isUnknownCommand(error: unknown): boolean {
  return error instanceof FTPError && [500, 501, 502, 503, 504].includes(error.code);
}

export function isNotThere(error: unknown): boolean {
  return error instanceof FTPError && (error.code === 550 || error.code === 450);
}
