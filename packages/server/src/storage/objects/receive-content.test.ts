import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { receiveContent } from './receive-content.js';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-receive-'));
  path = join(dir, 'content');
});
afterEach(() => rm(dir, { recursive: true }));

async function* pieces(count: number, bytes: number, end?: Error) {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(bytes, at);
  if (end) throw end;
}
const digestOf = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');

test.each([
  ['nothing', 0, 'bytes'],
  ['little', 3, 'bytes'],
  ['much', 90, 'file'],
] as const)('%s is received with its length and digests', async (_name, count, kind) => {
  const body = await receiveContent(pieces(count, 100_000), path);
  const bytes = body.kind === 'file' ? await readFile(body.path) : Buffer.from(body.bytes);
  expect(body).toMatchObject({
    kind,
    sizeBytes: count * 100_000,
    md5: digestOf('md5', bytes),
    sha256: digestOf('sha256', bytes),
  });
  expect(bytes.length).toBe(count * 100_000);
  expect(existsSync(path)).toBe(kind === 'file');
});

test.each([2, 90])('of content that ends with an error after %i pieces nothing is left', async (count) => {
  await expect(receiveContent(pieces(count, 100_000, new Error('cut')), path)).rejects.toThrow('cut');
  expect(existsSync(path)).toBe(false);
});
