import { isUtf8 } from 'node:buffer';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@lynceus/engine';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { unpackJson } from '#engine/runtime/process/unpack-json.js';
import { ServiceError } from '#server/core/service-error.js';
import { readJsonBody } from '#server/intake/json-body.js';
import { openSpool, type Spool } from '#server/intake/spool.js';
import { cases, fuzzing } from './cases.js';
import { fakeRequest } from './fake-request.js';
import { mutated } from './mutate.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-fuzz-'));
  spool = await openSpool({ dir: join(dir, 'spool'), maxBytes: 10_000_000 });
});
afterEach(async () => {
  expect(await readdir(spool.dir)).toEqual([]);
  expect(spool.bytesInUse).toBe(0);
});
afterAll(() => rm(dir, { recursive: true }));

const never = new AbortController().signal;

/** The image of a body: its bytes, none, or the code of the refusal. */
type Read = Buffer | undefined | string;

async function readHere(body: Buffer, chunkBytes: number): Promise<Read> {
  const intake = { spool, runner: { unpackJson }, maxJsonBytes: 2_000_000 };
  try {
    const { image, rest } = await readJsonBody(fakeRequest({}, body, chunkBytes), 'base64str', intake, never);
    expect(Object.hasOwn(rest, 'base64str')).toBe(false);
    // An empty one counts as none.
    if (image === undefined || image.size === 0) return undefined;
    const { source } = image;
    const bytes = source.kind === 'bytes' ? Buffer.from(source.bytes) : await readFile(source.path);
    await image.dispose();
    return bytes;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(['bad_request', 'invalid_image_text']).toContain(error.code);
    return error.code;
  }
}

async function readElsewhere(body: Buffer): Promise<Read> {
  const path = join(dir, 'body');
  const outPath = join(dir, 'out');
  await writeFile(path, body);
  try {
    const { bytesWritten } = await unpackJson({ kind: 'unpack-json', path, field: 'base64str', outPath });
    return bytesWritten === null || bytesWritten === 0 ? undefined : await readFile(outPath);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.code;
  }
}

const text = fc.oneof(
  fc.base64String({ maxLength: 200 }),
  fc.base64String({ maxLength: 80 }).map((base64) => `data:image/png;base64,${base64}`),
  fc.base64String({ maxLength: 80 }).map((base64) => base64.replace(/(.{9})/g, '$1\r\n')),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constant('A'.repeat(60_000)),
);
const key = fc.constantFrom('base64str', 'model_id', 'conf_thresh', 'image_file_url', '__proto__', 'x', '');
const value = fc.oneof(text, fc.jsonValue(), fc.constantFrom(true, null, -0, 1e308));
const object = fc
  .array(fc.tuple(key, value), { maxLength: 6 })
  .map(
    (pairs) =>
      `{${pairs.map(([name, held]) => `${JSON.stringify(name)}: ${JSON.stringify(held)}`).join(', ')}}`,
  );
const valid = [
  '{"base64str": "/9j/4AAQSkZJRgABAQ==", "model_id": "coco-fast", "conf_thresh": 0.4}',
  '{"base64\\u0073tr":"\\/9j\\/4AAQ","nms_thresh":1e999}',
  '\ufeff{ "model_id": 102 , "base64str" : "data:image/png;base64,AAAA\\nAAAA" }',
  `{"a": ${'['.repeat(900)}${']'.repeat(900)}, "base64str": "AAAA"}`,
  '{"x": {"base64str": "BBBB"}, "base64str": "AAAA", "base64str": "CCCC"}',
].map((body) => Buffer.from(body));
const body = fc.oneof(
  object.map((json) => Buffer.from(json)),
  mutated(valid),
  fc.json().map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

test('whatever a JSON body holds, it is read or refused', fuzzing, async () => {
  const chunkBytes = fc.constantFrom(7, 1000, 100_000);
  await fc.assert(
    fc.asyncProperty(body, chunkBytes, async (bytes, chunk) => {
      await readHere(bytes, bytes.length > 5000 ? Math.max(chunk, 1000) : chunk);
    }),
    cases(1500),
  );
});

test('a body is read here as it is in an inference process', fuzzing, async () => {
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      const [here, elsewhere] = [await readHere(bytes, 100_000), await readElsewhere(bytes)];
      if (typeof elsewhere === 'string') expect(['json-invalid', 'base64-invalid']).toContain(elsewhere);
      // A body that is not UTF-8, or empty, is refused in other words.
      if (bytes.length === 0 || !isUtf8(bytes)) return;
      expect(typeof here, `${here} here, ${elsewhere} elsewhere`).toBe(typeof elsewhere);
      if (typeof here !== 'string' && typeof elsewhere !== 'string') {
        expect(here?.toString('hex')).toBe(elsewhere?.toString('hex'));
      }
    }),
    cases(500),
  );
});
