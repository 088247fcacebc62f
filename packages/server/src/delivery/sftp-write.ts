import type { SftpSession } from './open-sftp.js';
import type { OutgoingFile } from './outgoing-file.js';
import { sftpStatus, statusOf } from './sftp-errors.js';

/** What every server takes in one request, by draft-ietf-secsh-filexfer-02 section 3. */
const requestBytes = 32 * 1024;
/** On their way at once: 1 MiB, so that a far server is not waited for at every step. */
const maxRequests = 32;

/** Writes a file from its beginning, and asks that it be on the far disk for good where the server knows how. */
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

/** An extension that the server does not have: the library throws without a status, or the server says so. */
function forgiveUnknown(error: unknown): void {
  const status = statusOf(error);
  if (status !== null && status !== sftpStatus.unsupported) throw error;
}
