import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import { createImageFetcher, type FetchImage } from './fetch-image.js';
import type { ResolveHost } from './resolve-host.js';
import { openSpool } from './spool.js';

const page = readFileSync(new URL('../../../../docs/addresses.md', import.meta.url), 'utf8');
const [, names = ''] = page.split('## By what a name resolves to\n');
const [table = ''] = names.split('\n## ');
const rows = [...table.matchAll(/^\| `([^`]+)` \| (.*) \| `(\w+)` \|/gm)].map(
  ([, address = '', answers = '', outcome = '']) => ({ address, answers, outcome }),
);

let dir: string;
let open: Server;
let fetcherWith: (resolve: ResolveHost) => FetchImage;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-names-'));
  const spool = await openSpool({ dir, maxBytes: 1_000_000 });
  open = createServer((request, response) => {
    const location = `http://${request.headers.host}/content`;
    if (request.url === '/to-itself') response.writeHead(302, { location }).end();
    else response.end('image');
  }).listen(0, '127.0.0.2');
  await new Promise((resolve) => open.once('listening', resolve));
  fetcherWith = (resolve) =>
    createImageFetcher({
      spool,
      maxImageBytes: 1000,
      fetchTimeoutMs: 2000,
      fetchAllowedNetworks: '127.0.0.2/32',
      resolve,
    });
});
afterAll(async () => {
  open.close();
  await rm(dir, { recursive: true });
});

/** Answers each time what stands between `then`s, and the last of it from there on. */
function nameServer(answers: string): ResolveHost {
  const times = answers.split(' then ').map((text) =>
    text
      .replaceAll('`', '')
      .split(', ')
      .filter((ip) => ip !== ''),
  );
  return async () => (times.length > 1 ? times.shift() : times[0]) ?? [];
}

test.each(rows)('$address, which resolves to $answers, gives $outcome', async (row) => {
  const address = row.address.replace('OPENPORT', String((open.address() as AddressInfo).port));
  const fetched = fetcherWith(nameServer(row.answers))(address, new AbortController().signal);
  if (row.outcome === 'fetched') return void (await (await fetched).dispose());
  const error = await fetched.then(
    () => undefined,
    (outcome: unknown) => outcome,
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: row.outcome });
  // What a name resolves to inside is nobody's business.
  expect(String(error)).not.toMatch(/\d+\.\d+\.\d+|::/);
});

test('the page has rows of names', () => expect(rows.length).toBeGreaterThan(12));
