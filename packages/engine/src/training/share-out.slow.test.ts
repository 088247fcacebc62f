import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelRef } from '../catalog/manifest.js';
import { extractFeatures, loadBackbone, openPooledFeatures } from './extract-features.js';
import type { FeatureSource } from './feature-source.js';
import { drawImage } from './fixtures/drawn-images.js';
import { installTinyBackbone } from './fixtures/tiny-backbone.js';
import { shareOut } from './share-out.js';
import type { ClassifiedImage } from './training-job.js';

const helpers = { most: 2, maxRssBytes: 2 ** 31 };
const count = 160;
let dir: string;
let backbone: ModelRef;
let images: ClassifiedImage[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-share-out-'));
  backbone = await installTinyBackbone(dir);
  const drawn = Array.from({ length: count }, (_, index) => drawImage(dir, `image-${index}`, [index % 2]));
  images = await Promise.all(drawn);
});
afterAll(() => rm(dir, { recursive: true }));

const jobOf = (cache: string, given: readonly ClassifiedImage[] = images) => ({
  kind: 'classification' as const,
  backbone,
  limits: { maxPixels: 1_000_000 },
  cacheDir: join(dir, cache),
  images: given,
});

/** The features that this process computes itself, slowly enough for others to take part. */
async function countedSource(cache: string, delayMs: number) {
  const source = openPooledFeatures(jobOf(cache), await loadBackbone({ backbone }));
  const own: string[] = [];
  const counted: FeatureSource<unknown> = {
    ...source,
    async compute(image) {
      own.push(image.id);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return source.compute(image);
    },
  };
  return { source: counted, own };
}

const isKept = async (source: FeatureSource<unknown>) =>
  (await Promise.all(images.map((image) => source.has(image)))).filter(Boolean).length;

function helperPids(): number[] {
  const lines = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], { encoding: 'utf8' });
  return lines
    .split('\n')
    .filter((line) => /process[-/]features/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

test('features by three processes are those by one, and so is what is refused', async () => {
  const path = join(dir, 'no-image.png');
  await writeFile(path, 'no image');
  const broken = { id: 'broken', path, sha256: 'f'.repeat(64), split: 'train' as const, labels: [0] };
  const given = [...images.slice(0, 70), broken, ...images.slice(70)];
  const loaded = await loadBackbone({ backbone });
  const seen: number[] = [];
  const shared = await extractFeatures(jobOf('shared', given), loaded, {
    onProgress: ({ done }) => seen.push(done),
    helpers,
  });
  const alone = await extractFeatures(jobOf('alone', given), loaded, { onProgress: () => undefined });
  expect(shared).toEqual(alone);
  expect(shared.images.length).toBe(count);
  expect(shared.refused).toEqual([{ id: 'broken', reason: expect.stringContaining('the file is text') }]);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(given.length);
});

test('others compute what this process does not come to, and end', async () => {
  const { source, own } = await countedSource('others', 100);
  const seen: number[] = [];
  await shareOut(jobOf('others'), source, helpers, (done) => seen.push(done));
  expect(await isKept(source)).toBe(count);
  expect(own.length).toBeLessThan(count - 50);
  expect(seen).toEqual(images.map((_, index) => index + 1));
  expect(helperPids()).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'what a killed process had been given is left, and nothing else',
  async () => {
    const { source } = await countedSource('killed', 100);
    let killed = 0;
    await shareOut(jobOf('killed'), source, helpers, (done) => {
      if (done < 20 || killed > 0) return;
      const [pid = 0] = helperPids();
      killed = pid;
      process.kill(pid, 'SIGKILL');
    });
    expect(killed).toBeGreaterThan(0);
    expect(await isKept(source)).toBeGreaterThanOrEqual(count - 2);
  },
);

test('few images are computed without another process', async () => {
  const { source, own } = await countedSource('few', 0);
  await shareOut(jobOf('few', images.slice(0, 49)), source, helpers, () => undefined);
  expect(own).toEqual([]);
});

test('a full disk ends it, and the other processes', async () => {
  const { source } = await countedSource('full', 0);
  const full: FeatureSource<unknown> = {
    ...source,
    compute: async () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' })),
  };
  await expect(shareOut(jobOf('full'), full, helpers, () => undefined)).rejects.toThrow('no room');
  await expect.poll(helperPids).toEqual([]);
});
