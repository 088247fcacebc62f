import { Readable } from 'node:stream';
import { Client, FTPError } from 'basic-ftp';
import { random } from '../kill/chance.js';
import type { DropAddress, DropClient } from './drop-client.js';

const timeoutMs = 10_000;

/** By FTP, half of them with TLS. */
export async function connectFtp({ port, user, key }: DropAddress): Promise<DropClient> {
  const client = new Client(timeoutMs);
  try {
    await client.access({
      ...{ host: '127.0.0.1', port, user, password: key },
      secure: random() < 0.5,
      secureOptions: { rejectUnauthorized: false },
    });
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    get isClosed() {
      return client.closed;
    },
    async upload(content, name) {
      await client.uploadFrom(Readable.from(content), name);
    },
    async append(content, name) {
      await client.appendFrom(Readable.from(content), name);
    },
    async rename(from, to) {
      await client.rename(from, to);
    },
    sizeOf: (name) =>
      client.size(name).catch((error: unknown) => {
        if (error instanceof FTPError && error.code === 550) return 0;
        throw error;
      }),
    close: () => client.close(),
  };
}
