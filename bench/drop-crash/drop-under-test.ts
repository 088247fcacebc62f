import { Writable } from 'node:stream';
import { createLynceusClient } from '@lynceus/client';
import { Client } from 'basic-ftp';
import { untilNone } from '../kill/until.js';
import { readObject } from '../load/outcome.js';
import type { Service } from '../service.js';
import type { FailedFile } from './check.js';
import type { DropAddress } from './drop-client.js';

/** Calls the API; throws on errors. */
export async function askApi(
  { url }: Pick<Service, 'url'>,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return readObject(text);
}

/** Waits until no file waits in a drop; returns descriptions of those that still do after the time. */
export async function untilWorkedOff(
  { url }: Pick<Service, 'url'>,
  apiKey: string,
  dropId: number,
  withinMs: number,
): Promise<readonly string[]> {
  const { dropFiles } = createLynceusClient({ baseUrl: url, apiKey });
  const find = async () => (await dropFiles.page(dropId, { state: 'waiting', limit: 5 })).data;
  const waiting = await untilNone(find, withinMs);
  return waiting.map(({ name, state, error }) => `${name} is still ${state}: ${error}`);
}

/** States of a drop's files, and how many have each. */
export async function countStates(
  { url }: Pick<Service, 'url'>,
  apiKey: string,
  dropId: number,
): Promise<ReadonlyMap<string, number>> {
  const { dropFiles } = createLynceusClient({ baseUrl: url, apiKey });
  const counts = new Map<string, number>();
  for await (const { state } of dropFiles.list(dropId)) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

/** What is in `failed/`, as the drop's owner sees it by FTP. */
export async function readFailed({ port, user, key }: DropAddress): Promise<readonly FailedFile[]> {
  const client = new Client(10_000);
  try {
    await client.access({ host: '127.0.0.1', port, user, password: key });
    const failed: FailedFile[] = [];
    for (const day of await client.list('/failed')) {
      const names = (await client.list(`/failed/${day.name}`)).map(({ name }) => name);
      const texts = new Set(names.filter((name) => name.endsWith('.txt')));
      for (const name of names) {
        if (texts.has(name)) continue;
        const text = `${name}.txt`;
        failed.push({
          name,
          reason: texts.has(text) ? await readText(client, `/failed/${day.name}/${text}`) : null,
        });
      }
    }
    return failed;
  } finally {
    client.close();
  }
}

async function readText(client: Client, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  await client.downloadTo(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    }),
    path,
  );
  return Buffer.concat(chunks).toString();
}
