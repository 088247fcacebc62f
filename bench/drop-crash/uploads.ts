import { setTimeout as sleep } from 'node:timers/promises';
import { between, random } from '../kill/chance.js';
import { createDeck } from '../load/deck.js';
import { digestOf, makeImage, makeText } from './content.js';
import type { DropAddress, DropClient, DropProtocol } from './drop-client.js';
import { connectFtp } from './ftp-client.js';
import type { Ledger, SentFile } from './ledger.js';
import { connectSftp } from './sftp-client.js';

interface Sending {
  readonly client: DropClient;
  readonly name: string;
  readonly content: Buffer;
  readonly connect: () => Promise<DropClient>;
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
  protocol: DropProtocol = 'ftp',
): Promise<void> {
  const open = new Set<DropClient>();
  const connect = async () => {
    const isSftp = protocol === 'sftp' || (protocol === 'both' && random() < 0.5);
    const client = await (isSftp ? connectSftp(drop) : connectFtp(drop));
    open.add(client);
    return client;
  };
  const deal = createDeck(ways, random);
  try {
    let client = await connect();
    while (!isOver()) {
      const { outcome, send } = deal();
      const content = random() < 0.8 ? await makeImage() : makeText();
      const digest = await digestOf(content);
      const name = `${drop.name}-${ledger.size}.jpg`;
      const entry: SentFile = { drop: drop.name, digest, outcome };
      ledger.set(name, entry);
      if (await send({ client, name, content, connect })) entry.outcome = 'acknowledged';
      if (client.isClosed) client = await connect();
    }
  } catch {
    // The service is gone.
  } finally {
    for (const client of open) client.close();
  }
}

async function sendAsItIs({ client, name, content }: Sending): Promise<boolean> {
  await client.upload(slowly(content), name);
  return true;
}

async function sendThenRename({ client, name, content }: Sending): Promise<boolean> {
  await client.upload(slowly(content), `${name}.part`);
  await client.rename(`${name}.part`, name);
  return true;
}

/** Its connection breaks; another one resumes the upload. */
async function sendInTwo({ client, name, content, connect }: Sending): Promise<boolean> {
  await cutAmid(client, name, content);
  const again = await connect();
  const size = await again.sizeOf(name);
  if (size === 0) await again.upload(slowly(content), name);
  else await again.append(slowly(content.subarray(size)), name, size);
  again.close();
  return true;
}

async function sendHalf({ client, name, content }: Sending): Promise<boolean> {
  await cutAmid(client, name, content);
  return false;
}

async function cutAmid(client: DropClient, name: string, content: Buffer): Promise<void> {
  const half = content.subarray(0, content.length / 2);
  async function* untilCut() {
    yield* slowly(half);
    client.close();
  }
  await client.upload(untilCut(), name).catch(() => undefined);
  client.close();
  // It takes the server a moment to see it.
  await sleep(100);
}

async function* slowly(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) {
    yield content.subarray(at, at + chunkBytes);
    if (random() < 0.3) await sleep(between(0, 20));
  }
}
