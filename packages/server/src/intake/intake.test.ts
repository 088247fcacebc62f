import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import { type CollectOptions, collect } from './held-image.js';
import { looksLikeBase64 } from './image-part.js';
import { splitObject } from './json-body.js';
import { chooseSpoolDir, openSpool, type Spool } from './spool.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-intake-'));
  spool = await openSpool({ dir: join(dir, 'spool'), maxBytes: 1_000_000 });
});
afterAll(() => rm(dir, { recursive: true }));

describe('the spool', () => {
  test('is swept at start of its own files alone', async () => {
    const left = join(dir, 'left');
    await mkdir(left);
    for (const name of ['body-1', 'body-22', 'photo.jpg', 'body-x']) await writeFile(join(left, name), 'x');
    await openSpool({ dir: left, maxBytes: 1 });
    expect((await readdir(left)).sort()).toEqual(['body-x', 'photo.jpg']);
  });

  test('refuses bytes above its budget and has them back when a file is gone', async () => {
    const first = await spool.createFile();
    await first.append([Buffer.alloc(600_000), Buffer.alloc(100_000)]);
    const second = await spool.createFile();
    await expect(second.append([Buffer.alloc(400_000)])).rejects.toMatchObject({ code: 'service_busy' });
    await first.dispose();
    await first.dispose();
    await second.append([Buffer.alloc(900_000)]);
    await second.dispose();
    expect(spool.bytesInUse).toBe(0);
    expect(await readdir(spool.dir)).toEqual([]);
  });

  test('lets no account have more than half of its budget, unless one request needs more', async () => {
    const [first, second] = [spool.of(1), spool.of(2)];
    const held = await first.createFile();
    await held.append([Buffer.alloc(400_000)]);
    const more = await first.of(1).createFile();
    const refused = { code: 'too_many_requests', retryAfterSeconds: 1 };
    await expect(more.append([Buffer.alloc(100_001)])).rejects.toMatchObject(refused);
    expect(() => more.reserve(100_001)).toThrow(/of this account/);
    const other = await second.createFile();
    await other.append([Buffer.alloc(500_000)]);
    await held.dispose();
    await more.append([Buffer.alloc(500_000)]);
    for (const file of [more, other]) await file.dispose();
    expect(spool.bytesInUse).toBe(0);

    const wide = await openSpool({
      dir: join(dir, 'wide'),
      maxBytes: 1_000_000,
      largestRequestBytes: 900_000,
    });
    const large = await wide.of(1).createFile();
    await large.append([Buffer.alloc(900_000)]);
    await large.dispose();
  });

  test('lies in shared memory when that has room, else in the data folder, and where the setting says', async () => {
    const options = { spoolDir: '', dataDir: join(dir, 'data'), maxBytes: 1, sharedMemoryDir: dir };
    const shared = await chooseSpoolDir(options);
    expect(shared).toMatch(new RegExp(`^${dir}/lynceus-spool-[0-9a-f]{16}$`));
    expect(await chooseSpoolDir({ ...options, dataDir: join(dir, 'other') })).not.toBe(shared);
    expect(await chooseSpoolDir({ ...options, maxBytes: 2 ** 60 })).toBe(join(dir, 'data', 'spool'));
    expect(await chooseSpoolDir({ ...options, sharedMemoryDir: join(dir, 'none') })).toBe(
      join(dir, 'data', 'spool'),
    );
    expect(await chooseSpoolDir({ ...options, spoolDir: join(dir, 'set') })).toMatch(
      `${dir}/set/lynceus-spool-`,
    );
    await rm(shared, { recursive: true });
    await writeFile(shared, 'made by another user');
    expect(await chooseSpoolDir(options)).toBe(join(dir, 'data', 'spool'));
  });
});

describe('a stream is collected', () => {
  const options = (more: Partial<CollectOptions> = {}): CollectOptions => ({
    spool,
    memoryMaxBytes: 1000,
    maxBytes: 800_000,
    tooLarge: () => new ServiceError('file_too_large', 'too large'),
    signal: new AbortController().signal,
    ...more,
  });

  test('whole, whatever the sizes of its chunks, in memory or in a file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { maxLength: 6 }),
        async (chunks) => {
          const whole = Buffer.concat(chunks);
          const collected = await collect(
            Readable.from(
              chunks.map((chunk) => Buffer.from(chunk)),
              { objectMode: true },
            ),
            options(),
          );
          expect(collected.size).toBe(whole.length);
          const { source } = collected;
          if (source.kind === 'bytes') {
            expect(whole.equals(source.bytes)).toBe(true);
            return;
          }
          expect(whole.length).toBeGreaterThan(1000);
          expect((await readFile(source.path)).equals(whole)).toBe(true);
          await collected.dispose();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('and what of it is in memory counts in the budget until it is whole', async () => {
    const waiting = new PassThrough();
    const reading = collect(waiting, options({ memoryMaxBytes: 800_000, spool: spool.of(1) }));
    waiting.write(Buffer.alloc(400_000));
    await expect.poll(() => spool.bytesInUse).toBe(400_000);
    const more = Readable.from([Buffer.alloc(100_001)]);
    const refused = { code: 'too_many_requests' };
    await expect(collect(more, options({ spool: spool.of(1) }))).rejects.toMatchObject(refused);
    waiting.end();
    expect((await reading).size).toBe(400_000);
    expect(spool.bytesInUse).toBe(0);
  });

  test('and leaves nothing behind when it is too large, breaks off, or nobody waits for it', async () => {
    const large = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(100_000)));
    await expect(collect(large, options())).rejects.toMatchObject({ code: 'file_too_large' });

    const broken = new PassThrough();
    const reading = collect(broken, options());
    broken.write(Buffer.alloc(5000));
    setTimeout(() => broken.destroy(new Error('gone')), 20);
    await expect(reading).rejects.toMatchObject({ code: 'bad_request' });

    const gone = new AbortController();
    const waiting = new PassThrough();
    const abandoned = collect(waiting, options({ signal: gone.signal }));
    waiting.write(Buffer.alloc(5000));
    setTimeout(() => gone.abort(new Error('left')), 20);
    await expect(abandoned).rejects.toThrow('left');

    expect(await readdir(spool.dir)).toEqual([]);
    expect(spool.bytesInUse).toBe(0);
  });
});

describe('a JSON body', () => {
  const outcome = (read: () => unknown): unknown => {
    try {
      return read();
    } catch {
      return 'refused';
    }
  };
  const plainly = (text: string) => {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
    const { base64str, ...rest } = value as Record<string, unknown>;
    return { rest, value: base64str };
  };
  const asText = (body: string) => {
    const split = splitObject(Buffer.from(body), 'base64str');
    if (split === undefined) return 'left to an inference process';
    const { rest, value } = split;
    return { rest, value: Buffer.isBuffer(value) ? value.toString() : value };
  };

  test('is split as JSON.parse would, wherever the field stands and whatever it holds', () => {
    const field = fc.constantFrom('base64str', 'base64str', '"base64str"', 'a', '__proto__');
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.integer(),
      fc.constant(null),
      fc.constant(': "AAAA'),
    );
    const value = fc.oneof(leaf, fc.dictionary(field, leaf), fc.array(leaf, { maxLength: 2 }));
    const pairs = fc.array(fc.tuple(field, value), { maxLength: 4 });
    const space = fc.constantFrom('', ' ', '\n\t ');
    fc.assert(
      fc.property(pairs, space, space, (entries, before, after) => {
        const inner = entries.map(
          ([key, item]) => `${JSON.stringify(key)}${before}:${after}${JSON.stringify(item)}`,
        );
        const body = `{${inner.join(`${before},`)}}`;
        expect(asText(body)).toEqual(plainly(body));
        const cut = body.slice(0, -1);
        expect(outcome(() => asText(cut))).toEqual(outcome(() => plainly(cut)));
      }),
      { numRuns: 1000 },
    );
  });
});

test('a JSON body with much beside its image is not parsed here', () => {
  const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}":0`).join(',');
  expect(splitObject(Buffer.from(`{${keys}}`), 'base64str')).toBeUndefined();
  expect(splitObject(Buffer.from(`{${keys},"base64str":"AAAA"}`), 'base64str')).toBeUndefined();
});

test('an image whose slashes are escaped is read', () => {
  const body = Buffer.from('{"base64str": "\\/9j\\/4AAQ\\u002f", "model_id": 1}');
  expect(splitObject(body, 'base64str')).toEqual({ rest: { model_id: 1 }, value: Buffer.from('/9j/4AAQ/') });
});

test('base64 text is recognised by its first bytes, and no image is taken for it', () => {
  const images = [
    'ffd8ffe0',
    '89504e470d0a1a0a',
    '474946383961000100',
    '524946460000000057454250',
    '49492a00',
    '4d4d002a',
    '0000001c66747970',
    '424d3600000000',
  ];
  for (const hex of images) expect(looksLikeBase64(Buffer.from(`${hex}00010203`, 'hex'))).toBe(false);
  expect(looksLikeBase64(Buffer.from('data:image/jpeg;base64,/9j/4A'))).toBe(true);
  expect(looksLikeBase64(Buffer.from('/9j/4AAQSkZJRgABAQ\r\n'))).toBe(true);
});
