import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImportError } from '../onnx/import-error.js';
import { endless, greedy, hostile, whole } from './fixtures/hostile-files.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';
import { writeZip } from './fixtures/write-zip.js';
import { defaultUploadLimits } from './limits.js';
import { readNet } from './read-net.js';
import { UploadRefused } from './upload-refused.js';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await makeUploads();
});
afterAll(() => uploads.close());

describe('a bad file is refused with what to fix, and leaves nothing behind', () => {
  test.each(hostile)('%s', async (_name, files, message) => {
    const attempt = uploads.upload(files());
    await expect(attempt).rejects.toBeInstanceOf(UploadRefused);
    await expect(attempt).rejects.toThrow(message);
    expect((await readdir(uploads.dir)).filter((name) => name.startsWith('out-'))).toEqual([]);
  });

  test('labels that do not fit are reported with their number', async () => {
    await expect(uploads.upload({ 'm.onnx': whole }, { labels: ['a', 'b', 'c', 'd'] })).rejects.toThrow(
      /2 classes; give as many labels, not 4/,
    );
  });

  test('a zip bomb is stopped at what it claims', async () => {
    const bomb = writeZip([{ name: 'model.onnx', data: new Uint8Array(30_000_000) }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(uploads.upload({ 'm.zip': bomb }, {}, { maxUnpackedBytes: 10_000_000 })).rejects.toThrow(
      /unpacks to more than 10000000 bytes/,
    );
  });

  test('a model that never terminates is killed in time', async () => {
    await expect(uploads.upload({ 'm.onnx': endless() }, {}, { timeoutMs: 2_000 })).rejects.toThrow(
      /longer than 2 s/,
    );
  });

  test('a model that takes all memory is killed before it has it', async () => {
    const limits = { maxRssBytes: 600 * 2 ** 20, timeoutMs: 300_000 };
    await expect(uploads.upload({ 'm.onnx': greedy(6 * 2 ** 30) }, {}, limits)).rejects.toThrow(
      /more than 600 MiB/,
    );
  }, 300_000);

  test('an aborted upload ends at once', async () => {
    const gone = new AbortController();
    const attempt = uploads.upload({ 'm.onnx': endless() }, {}, {}, gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 500);
    await expect(attempt).rejects.toThrow('gone');
  });
});

test('a damaged file is read or refused, never anything else', async () => {
  const mutations = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(mutations, async (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      try {
        await readNet(new Map([['m.onnx', bytes]]), {}, defaultUploadLimits);
      } catch (error) {
        expect(error instanceof UploadRefused || error instanceof ImportError).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('whatever a damaged file does to the process that tries it, the answer is a model or a refusal', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const bytes = Uint8Array.from(whole);
    for (let index = 0; index < 3; index++) {
      const at = (seed * 7919 + index * 104_729) % bytes.length;
      bytes[at] = ((bytes[at] ?? 0) + seed * 37 + 1) % 256;
    }
    const outcome = await uploads
      .upload({ 'm.onnx': bytes }, {}, { timeoutMs: 20_000 })
      .catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UploadRefused);
  }
}, 300_000);

test('the fixture itself is accepted', async () => {
  expect((await uploads.upload({ 'm.onnx': whole })).record.family).toBe('classifier');
});
