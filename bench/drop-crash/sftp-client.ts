import ssh2, { type SFTPWrapper } from 'ssh2';
import type { DropAddress, DropClient } from './drop-client.js';

const timeoutMs = 10_000;
/** Answers that a client does not wait for before it sends more. */
const writesAtOnce = 8;
const noSuchFile = 2;

/** By SFTP. */
export async function connectSftp({ sftpPort, localAddress, user, key }: DropAddress): Promise<DropClient> {
  const client = new ssh2.Client();
  let isClosed = false;
  /** The library never settles calls of a connection that ended. */
  const ended = new Promise<never>((_, reject) => {
    client.on('error', reject).on('close', () => {
      isClosed = true;
      reject(new Error('The connection ended.'));
    });
  });
  ended.catch(() => undefined);
  type Done<T> = (error: Error | null | undefined, result: T) => void;
  const call = <T>(start: (done: Done<T>) => void): Promise<T> =>
    Promise.race([
      ended,
      new Promise<T>((resolve, reject) =>
        start((error, result) => (error ? reject(error) : resolve(result))),
      ),
    ]);
  const act = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    call<void>((done) => start((error) => done(error, undefined)));
  const close = () => {
    isClosed = true;
    client.destroy();
  };

  let sftp: SFTPWrapper;
  try {
    await Promise.race([
      ended,
      new Promise<void>((resolve) => {
        client.once('ready', resolve);
        const address = { host: '127.0.0.1', port: sftpPort ?? 0, username: user, password: key };
        client.connect({ ...address, ...(localAddress && { localAddress }), readyTimeout: timeoutMs });
      }),
    ]);
    sftp = await call<SFTPWrapper>((done) => client.sftp(done));
  } catch (error) {
    close();
    throw error;
  }

  /** Several writes are under way at once, as other clients have it. */
  const send = async (content: AsyncIterable<Buffer>, name: string, flags: 'w' | 'r+', from: number) => {
    const handle = await call<Buffer>((done) => sftp.open(name, flags, done));
    let at = from;
    let writes: Promise<void>[] = [];
    for await (const piece of content) {
      const offset = at;
      writes.push(act((done) => sftp.write(handle, piece, 0, piece.length, offset, done)));
      at += piece.length;
      if (writes.length < writesAtOnce) continue;
      await Promise.all(writes);
      writes = [];
    }
    await Promise.all(writes);
    await act((done) => sftp.close(handle, done));
  };
  return {
    get isClosed() {
      return isClosed;
    },
    upload: (content, name) => send(content, name, 'w', 0),
    append: (content, name, sizeBytes) => send(content, name, 'r+', sizeBytes),
    rename: (from, to) => act((done) => sftp.rename(from, to, done)),
    sizeOf: (name) =>
      call<{ readonly size: number }>((done) => sftp.stat(name, done)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === noSuchFile) return 0;
          throw error;
        },
      ),
    close,
  };
}
