import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '#server/core/service-error.js';
import { readFormFiles } from '#server/intake/form-files.js';
import { readFormToFolder } from '#server/intake/form-to-folder.js';
import { openSpool, type Spool } from '#server/intake/spool.js';
import { readImportOptions } from '#server/training/models/import-options.js';
import { cases, fuzzing } from './cases.js';
import { fakeRequest } from './fake-request.js';
import { mutated } from './mutate.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-fuzz-files-'));
  await mkdir(join(dir, 'model'));
  spool = await openSpool({ dir: join(dir, 'spool'), maxBytes: 10_000_000 });
});
afterAll(() => rm(dir, { recursive: true }));

const never = new AbortController().signal;
const [maxFiles, maxFileBytes] = [5, 2000];

const word = fc.oneof(
  fc.constantFrom(
    'file',
    'label',
    'options',
    '../../a',
    '/etc/passwd',
    '__proto__',
    '',
    'a"b',
    'é',
    '\0',
    'C:\\a',
  ),
  fc.string({ maxLength: 12 }),
);
const part = fc
  .record({
    name: word,
    fileName: fc.option(word, { nil: undefined }),
    content: fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        '--X',
        '\r\n--X',
        '\r\n--X--',
        '{"labels":["a"]}',
        'x'.repeat(3000),
        'x'.repeat(70_000),
      ),
    ),
  })
  .map(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    return `--X\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
const valid = Buffer.from(
  '--X\r\nContent-Disposition: form-data; name="label"\r\n\r\ncat\r\n' +
    ['a', 'b', 'c']
      .map(
        (name) =>
          `--X\r\nContent-Disposition: form-data; name="file"; filename="${name}.jpg"\r\n\r\n${name.repeat(99)}\r\n`,
      )
      .join('') +
    '--X--\r\n',
);
const form = fc.oneof(
  fc
    .tuple(fc.array(part, { maxLength: 8 }), fc.constantFrom('--X--\r\n', '--X', ''))
    .map(([parts, end]) => Buffer.from(parts.join('') + end)),
  mutated([valid]),
);

/** Reads it, or fails with an error that a client may see. */
async function readOrRefuse(
  body: Buffer,
  chunkBytes: number,
  read: (request: IncomingMessage) => Promise<void>,
): Promise<void> {
  const headers = {
    'content-type': 'multipart/form-data; boundary=X',
    'content-length': String(body.length),
  };
  // One byte a chunk is dear with much to read.
  const chunk = body.length > 5000 ? Math.max(chunkBytes, 1000) : chunkBytes;
  try {
    await read(fakeRequest(headers, body, chunk));
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(['bad_request', 'file_too_large']).toContain(error instanceof ServiceError ? error.code : error);
  }
}
const chunkBytes = fc.constantFrom(1, 3, 64, 1000, 100_000);

test(
  'whatever a form of many images holds, each is read or passed over, and none is left',
  fuzzing,
  async () => {
    await fc.assert(
      fc.asyncProperty(form, chunkBytes, async (body, chunk) => {
        let count = 0;
        await readOrRefuse(body, chunk, async (request) => {
          for await (const file of readFormFiles(request, spool, { maxFileBytes, maxFiles }, never)) {
            count += 1;
            expect(file.image?.size ?? 0).toBeLessThanOrEqual(maxFileBytes);
            await file.image?.dispose();
          }
        });
        expect(count).toBeLessThanOrEqual(maxFiles);
        expect([spool.bytesInUse, await readdir(spool.dir)]).toEqual([0, []]);
      }),
      cases(500),
    );
  },
);

test(
  'whatever a form of a model holds, its files are in the folder under names of ours',
  fuzzing,
  async () => {
    await fc.assert(
      fc.asyncProperty(form, chunkBytes, async (body, chunk) => {
        const folder = await mkdtemp(join(dir, 'model', 'of-'));
        const limits = { dir: folder, maxBytes: 10_000, maxFiles, signal: never };
        await readOrRefuse(body, chunk, async (request) => {
          const { files } = await readFormToFolder(request, limits);
          expect(files.map(({ path }) => path)).toEqual(files.map((_, index) => join(folder, String(index))));
        });
        for (const name of await readdir(folder)) expect(name).toMatch(/^[0-4]$/);
        await rm(folder, { recursive: true });
        expect(await readdir(join(dir, 'model'))).toEqual([]);
      }),
      cases(400),
    );
  },
);

test('any import options of a model are understood or refused', fuzzing, () => {
  const options = Buffer.from(
    '{"family":"classifier","labels":["cat","dog"],"input":{"width":8,"height":8,"fit":"squash","mean":[0],"std":[255]},"threshold":0.3,"first_class":1}',
  );
  const text = fc.oneof(fc.json(), fc.string(), mutated([options]).map(String));
  fc.assert(
    fc.property(text, (given) => {
      try {
        expect(typeof readImportOptions(given)).toBe('object');
      } catch (error) {
        expect(error).toMatchObject({ code: 'wrong_parameters' });
      }
    }),
    cases(1000),
  );
});
