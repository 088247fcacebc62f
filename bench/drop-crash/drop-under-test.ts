import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import { readObject } from '../load/outcome.js';
import type { Service } from '../service.js';
import type { FailedFile } from './check.js';
import type { DropAddress } from './drop-client.js';

const pageSize = 100;

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
  service: Pick<Service, 'url'>,
  key: string,
  dropId: number,
  withinMs: number,
): Promise<readonly string[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { data } = await askApi(service, key, 'GET', `/api/drops/${dropId}/files?state=waiting&limit=5`);
    const files = Array.isArray(data) ? data.map((file) => readObject(JSON.stringify(file))) : [];
    if (files.length === 0) return [];
    if (performance.now() > deadline) {
      return files.map(({ name, state, error }) => `${name} is still ${state}: ${error}`);
    }
    await sleep(200);
  }
}

/** States of a drop's files, and how many have each. */
export async function countStates(
  service: Pick<Service, 'url'>,
  key: string,
  dropId: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await askApi(service, key, 'GET', `/api/drops/${dropId}/files?limit=${pageSize}${from}`);
    for (const file of Array.isArray(page['data']) ? page['data'] : []) {
      const state = String(readObject(JSON.stringify(file))['state']);
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    cursor = page['next_cursor'];
  }
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
