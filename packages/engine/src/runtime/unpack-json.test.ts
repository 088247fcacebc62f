import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testRunner } from './fixtures/test-tasks.js';

let folder: string;
const runner = testRunner();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-unpack-'));
  await runner.start();
});
afterAll(async () => {
  await runner.close();
  await rm(folder, { recursive: true });
});

let files = 0;
async function unpack(body: string | Uint8Array, otherField?: string) {
  files += 1;
  const path = join(folder, `${files}.json`);
  const outPath = join(folder, `${files}.out`);
  await writeFile(path, body);
  const unpacked = runner.unpackJson(
    { path, field: 'base64str', outPath, ...(otherField !== undefined && { otherField }) },
    { priority: 'interactive' },
  );
  return { outPath, unpacked };
}

test('the image goes to its file, the rest is returned', async () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
  const text = `data:image/png;base64,${bytes.toString('base64').replace(/(.{76})/g, '$1\n')}`;
  const { unpacked, outPath } = await unpack(
    JSON.stringify({ model_id: 'coco-fast', base64str: text, conf_thresh: 0.4, more: { a: [null] } }),
  );
  expect(await unpacked).toEqual({
    rest: { model_id: 'coco-fast', conf_thresh: 0.4, more: { a: [null] } },
    bytesWritten: 1000,
  });
  expect(await readFile(outPath)).toEqual(bytes);
});

test('an image under another name is named as missing', async () => {
  const { unpacked } = await unpack(JSON.stringify({ image: 'A'.repeat(100_000) }));
  await expect(unpacked).rejects.toMatchObject({
    code: 'json-invalid',
    message: expect.stringMatching(/^base64str is missing, and beside base64str the body may hold/),
  });
});

test('of two images the other is left out, and is too much where it was not announced', async () => {
  const [image, other] = [1, 2].map((value) => Buffer.alloc(2 ** 20, value));
  const body = JSON.stringify({
    target: other?.toString('base64'),
    base64str: image?.toString('base64'),
    more: 1,
  });
  const { unpacked, outPath } = await unpack(body, 'target');
  expect(await unpacked).toEqual({ rest: { more: 1 }, bytesWritten: 2 ** 20 });
  expect(await readFile(outPath)).toEqual(image);
  await expect((await unpack(body)).unpacked).rejects.toMatchObject({ code: 'json-invalid' });
  const three = JSON.stringify({ ...JSON.parse(body), third: 'a'.repeat(2 ** 20) });
  await expect((await unpack(three, 'target')).unpacked).rejects.toMatchObject({ code: 'json-invalid' });
});

test('25 MiB of image are unpacked without blocking the caller', async () => {
  const image = Buffer.alloc(25 * 2 ** 20, 7);
  const body = `{"base64str": "${image.toString('base64')}"}`;
  const { unpacked } = await unpack(body);
  const before = process.cpuUsage();
  expect(await unpacked).toEqual({ rest: {}, bytesWritten: image.length });
  const waiting = process.cpuUsage(before);
  const after = process.cpuUsage();
  const parsed = JSON.parse(body) as { readonly base64str: string };
  expect(Buffer.from(parsed.base64str, 'base64')).toHaveLength(image.length);
  const work = process.cpuUsage(after);
  // CPU time of the same moment, since machines differ and a busy one delays everything.
  expect(waiting.user + waiting.system).toBeLessThan(work.user + work.system);
});

describe('without a text there is nothing to write', () => {
  test.each([['{}'], ['{"base64str": null}'], ['{"__proto__": {"base64str": "QUJD"}}']])(
    '%s',
    async (body) => {
      const { unpacked, outPath } = await unpack(body);
      expect(await unpacked).toEqual({ rest: {}, bytesWritten: null });
      await expect(access(outPath)).rejects.toThrow();
    },
  );
});

describe('a hostile or broken body is refused and leaves no file', () => {
  test.each([
    ['json-invalid', 'no JSON', '{"base64str": "QUJD"'],
    ['json-invalid', 'nothing', ''],
    ['json-invalid', 'an array', '["QUJD"]'],
    ['json-invalid', 'null', 'null'],
    ['json-invalid', 'bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['json-invalid', 'a rest as large as an image', `{"base64str": "QUJD", "x": "${'y'.repeat(100_000)}"}`],
    ['json-invalid', 'a very deep rest', `{"x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['json-invalid', 'a rest of escaped quotes', `{"base64str": "QUJD", "x": "${'\\\\\\"'.repeat(50_000)}"}`],
    ['json-invalid', 'texts that do not end', '"'.repeat(2_000_001)],
    ['base64-invalid', 'a number where text should be', '{"base64str": 7}'],
    ['base64-invalid', 'text that is not base64', '{"base64str": "QUJ$"}'],
  ])('%s: %s', async (code, _name, body) => {
    const { unpacked, outPath } = await unpack(body);
    await expect(unpacked).rejects.toMatchObject({ code });
    await expect(access(outPath)).rejects.toThrow();
  });

  test('36 MB of brackets, which take half a minute to parse, are refused at once', async () => {
    for (const body of ['['.repeat(36_000_000), `{"x": "\\"[\\\\", "a": ${'['.repeat(36_000_000)}`]) {
      const { unpacked } = await unpack(body);
      // A job that took as long as parsing them would be past its time.
      await expect(unpacked).rejects.toMatchObject({ code: 'json-invalid' });
    }
  });

  test('a key __proto__ has no effect', async () => {
    const { unpacked } = await unpack(
      '{"__proto__": {"admin": true}, "constructor": 1, "base64str": "QUJD"}',
    );
    const { rest } = await unpacked;
    expect(Object.keys(rest)).toEqual(['constructor']);
    expect('admin' in rest).toBe(false);
  });
});
