import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '#server/core/service-error.js';
import { openSpool, type Spool } from '#server/intake/spool.js';
import { readUpload } from '#server/intake/upload.js';
import { cases, fuzzing } from './cases.js';
import { fakeRequest } from './fake-request.js';
import { mutated } from './mutate.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-fuzz-'));
  spool = await openSpool({ dir, maxBytes: 10_000_000 });
});
afterEach(async () => {
  expect(await readdir(dir)).toEqual([]);
  expect(spool.bytesInUse).toBe(0);
});
afterAll(() => rm(dir, { recursive: true }));

const limits = { maxImageBytes: 60_000, maxTextBytes: 80_000 };
const never = new AbortController().signal;

/** Reads it, or fails with an error that a client may see. */
async function read(type: string, body: Buffer, chunkBytes: number): Promise<void> {
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  try {
    const form = await readUpload(fakeRequest(headers, body, chunkBytes), spool, limits, never);
    expect(form.image?.size ?? 0).toBeLessThanOrEqual(limits.maxTextBytes);
    await form.image?.dispose();
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(['bad_request', 'file_too_large', 'invalid_image_text']).toContain(
      error instanceof ServiceError ? error.code : error,
    );
  }
}

const word = fc.oneof(
  fc.constantFrom('image', 'file', 'model_id', 'url', '__proto__', 'constructor', '', 'a"b', 'é', '\0'),
  fc.string({ maxLength: 12 }),
);
const part = fc
  .record({
    name: word,
    fileName: fc.option(word, { nil: undefined }),
    header: fc.constantFrom(
      '',
      'Content-Type: application/octet-stream\r\n',
      'Content-Type: ;;;\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      `X-Long: ${'x'.repeat(20_000)}\r\n`,
      'Content-Disposition: attachment\r\n',
      ': \r\n',
      'folded\r\n header: 1\r\n',
    ),
    content: fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.base64String({ maxLength: 80 }),
      fc.constantFrom(
        '--X',
        '\r\n--X',
        '\r\n--X--',
        '\r\n--X\r\n',
        'data:image/png;base64,AAAA',
        'x'.repeat(70_000),
      ),
    ),
  })
  .map(
    ({ name, fileName, header, content }) =>
      `--X\r\nContent-Disposition: form-data; name="${name}"${
        fileName === undefined ? '' : `; filename="${fileName}"`
      }\r\n${header}\r\n${content}\r\n`,
  );
const multipart = fc
  .tuple(
    fc.array(part, { maxLength: 5 }),
    fc.constantFrom('--X--\r\n', '--X--', '--X', '', '--X--\r\n--X\r\n'),
  )
  .map(([parts, end]) => Buffer.from(parts.join('') + end));
const valid = [
  Buffer.from(
    '--X\r\nContent-Disposition: form-data; name="model_id"\r\n\r\n102\r\n--X\r\n' +
      'Content-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\r\n--X--\r\n',
    'latin1',
  ),
  Buffer.from(
    `--X\r\nContent-Disposition: form-data; name="image"\r\n\r\ndata:image/png;base64,${'AAAA'.repeat(9)}\r\n--X--\r\n`,
  ),
];
const chunkBytes = fc.constantFrom(1, 2, 3, 7, 64, 1000, 100_000);

test('whatever a multipart form holds, it is read or refused', fuzzing, async () => {
  const type = fc.oneof(
    { weight: 8, arbitrary: fc.constant('multipart/form-data; boundary=X') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary="X',
        'multipart/mixed; boundary=X',
        `multipart/form-data; boundary=${'X'.repeat(5000)}`,
        'multipart/form-data; boundary=X; boundary=Y',
        "multipart/form-data; boundary*=utf-8''X",
      ),
    },
  );
  // One byte a chunk is dear with much to read.
  const sized = (body: Buffer, chunk: number) => (body.length > 5000 ? Math.max(chunk, 1000) : chunk);
  await fc.assert(
    fc.asyncProperty(type, fc.oneof(multipart, mutated(valid)), chunkBytes, (contentType, body, chunk) =>
      read(contentType, body, sized(body, chunk)),
    ),
    cases(1500),
  );
});

test('whatever a URL-encoded form holds, it is read or refused', fuzzing, async () => {
  const pair = fc
    .tuple(word, fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('%', '%zz', '%00', '+', '%ff%fe')))
    .map(([name, value]) => `${name}=${value}`);
  const body = fc.oneof(
    fc.array(pair, { maxLength: 8 }).map((pairs) => Buffer.from(pairs.join('&'))),
    mutated([Buffer.from('image=data%3Aimage%2Fpng%3Bbase64%2CAAAA&model_id=102&url=http%3A%2F%2Fa%2F')]),
    fc.integer({ min: 1, max: 3000 }).map((count) => Buffer.from('a=b&'.repeat(count))),
  );
  await fc.assert(
    fc.asyncProperty(body, chunkBytes, (bytes, chunk) =>
      read('application/x-www-form-urlencoded', bytes, bytes.length > 5000 ? 1000 : chunk),
    ),
    cases(700),
  );
});
