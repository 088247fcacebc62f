import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, FTPError } from 'basic-ftp';
import { createDeck } from '../load/deck.js';
import { digestOf, makeImage, makeText } from './content.js';
import type { Ledger, SentFile } from './ledger.js';

/** A drop as seen by its clients. */
export interface DropAddress {
  /** Of the ledger. */
  readonly name: string;
  readonly port: number;
  readonly user: string;
  readonly key: string;
}

interface Sending {
  readonly client: Client;
  readonly name: string;
  readonly content: Buffer;
  readonly connect: () => Promise<Client>;
}

/** Ways of uploading one file: each resolves when the file was acknowledged. */
const ways: readonly {
  readonly weight: number;
  readonly outcome: SentFile['outcome'];
  readonly send: Send;
}[] = [
  { weight: 4, outcome: 'unknown', send: sendAsItIs },
  { weight: 3, outcome: 'unknown', send: sendThenRename },
  { weight: 1, outcome: 'unknown', send: sendInTwo },
  { weight: 2, outcome: 'cut', send: sendHalf },
];
type Send = (sending: Sending) => Promise<boolean>;

const chunkBytes = 16 * 1024;

/** One client that uploads until its service is killed; resolves then. */
export async function uploadUntilGone(
  drop: DropAddress,
  ledger: Ledger,
  isOver: () => boolean,
): Promise<void> {
  const open = new Set<Client>();
  const connect = async () => {
    const client = new Client(10_000);
    open.add(client);
    await client.access({
      host: '127.0.0.1',
      port: drop.port,
      user: drop.user,
      password: drop.key,
      secure: Math.random() < 0.5,
      secureOptions: { rejectUnauthorized: false },
    });
    return client;
  };
  const deal = createDeck(ways);
  try {
    let client = await connect();
    while (!isOver()) {
      const { outcome, send } = deal();
      const content = Math.random() < 0.8 ? await makeImage() : makeText();
      const digest = await digestOf(content);
      const name = `${drop.name}-${ledger.size}.jpg`;
      const entry: SentFile = { drop: drop.name, digest, outcome };
      ledger.set(name, entry);
      if (await send({ client, name, content, connect })) entry.outcome = 'acknowledged';
      if (client.closed) client = await connect();
    }
  } catch {
    // The service is gone.
  } finally {
    for (const client of open) client.close();
  }
}

async function sendAsItIs({ client, name, content }: Sending): Promise<boolean> {
  await client.uploadFrom(slowly(content), name);
  return true;
}

async function sendThenRename({ client, name, content }: Sending): Promise<boolean> {
  await client.uploadFrom(slowly(content), `${name}.part`);
  await client.rename(`${name}.part`, name);
  return true;
}

/** Its connection breaks; another one resumes the upload. */
async function sendInTwo({ client, name, content, connect }: Sending): Promise<boolean> {
  await cutAmid(client, name, content);
  const again = await connect();
  const size = await sizeOf(again, name);
  if (size === 0) await again.uploadFrom(slowly(content), name);
  else await again.appendFrom(slowly(content.subarray(size)), name);
  again.close();
  return true;
}

/** 0 where there is no such file. A failure of another kind says nothing of its size. */
async function sizeOf(client: Client, name: string): Promise<number> {
  return client.size(name).catch((error: unknown) => {
    if (error instanceof FTPError && error.code === 550) return 0;
    throw error;
  });
}

async function sendHalf({ client, name, content }: Sending): Promise<boolean> {
  await cutAmid(client, name, content);
  return false;
}

async function cutAmid(client: Client, name: string, content: Buffer): Promise<void> {
  const half = content.subarray(0, content.length / 2);
  const source = Readable.from(
    (async function* () {
      yield* slowly(half);
      client.close();
    })(),
  );
  await client.uploadFrom(source, name).catch(() => undefined);
  client.close();
  // It takes the server a moment to see it.
  await sleep(100);
}

function slowly(content: Buffer): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; at < content.length; at += chunkBytes) {
        yield content.subarray(at, at + chunkBytes);
        if (Math.random() < 0.3) await sleep(Math.random() * 20);
      }
    })(),
  );
}
