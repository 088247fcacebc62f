import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
import { createTrainer } from './trainer.js';
import type { ClassifiedImage } from './training-job.js';

const helpers = { most: 2, maxRssBytes: 2 ** 31 };
const count = 160;
/** Longer than any of them stands still. */
const graceMs = 120_000;
const isLinux = process.platform === 'linux';
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

/** Processes below this one that compute features, and live. */
function helperPids(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const stat = contentOf(`/proc/${name}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== 'Z') parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && isBelow(parent));
  };
  const computes = (pid: number) => /process[-/]features/.test(contentOf(`/proc/${pid}/cmdline`));
  return [...parents.keys()].filter((pid) => isBelow(pid) && computes(pid));
}

/** Empty where the process has ended. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
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
  expect(shared.refused).toEqual([{ id: 'broken', reason: expect.stringContaining('it is text') }]);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(given.length);
});

test('others compute what this process does not come to, the same bytes, and end', async () => {
  const { source, own } = await countedSource('others', 100);
  const seen: number[] = [];
  await shareOut(jobOf('others'), source, helpers, (kept) => seen.push(kept), graceMs);
  expect(await isKept(source)).toBe(count);
  expect(own.length).toBeLessThan(count - 50);
  expect(seen).toEqual(images.map((_, index) => index + 1));
  const alone = openPooledFeatures(jobOf('own'), await loadBackbone({ backbone }));
  for (const image of images) expect(await source.read(image)).toEqual(await alone.compute(image));
  await alone.close();
});

test.runIf(isLinux)('what a killed process had been given is left, and nothing else', async () => {
  const { source } = await countedSource('killed', 100);
  let killed: number | undefined;
  const kill = (kept: number) => {
    const [pid] = killed === undefined && kept >= 20 ? helperPids() : [];
    if (pid === undefined) return;
    killed = pid;
    process.kill(pid, 'SIGKILL');
  };
  await shareOut(jobOf('killed'), source, helpers, kill, graceMs);
  expect(killed).toBeDefined();
  expect(await isKept(source)).toBeGreaterThanOrEqual(count - 2);
});

test('few images are left to this process', async () => {
  const { source, own } = await countedSource('few', 0);
  await shareOut(jobOf('few', images.slice(0, 49)), source, helpers, () => undefined);
  expect(own).toEqual([]);
  expect(await isKept(source)).toBe(0);
});

test('a full disk ends it, and the other processes', async () => {
  const { source } = await countedSource('full', 0);
  const full: FeatureSource<unknown> = {
    ...source,
    compute: async () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' })),
  };
  await expect(shareOut(jobOf('full'), full, helpers, () => undefined)).rejects.toThrow('no room');
  if (isLinux) expect(helperPids()).toEqual([]);
});

test.runIf(isLinux)(
  'they end with a training run that is cancelled, even while they wait for a file',
  async () => {
    const path = join(dir, 'never-written');
    execFileSync('mkfifo', [path]);
    const cancelling = new AbortController();
    const run = createTrainer({ maxRssBytes: 2 ** 31, processes: 3, nice: 0 }).train(
      {
        ...jobOf(
          'cancelled',
          images.map((image) => ({ ...image, path })),
        ),
        title: 'waits',
        labels: ['a', 'b'].map((title) => ({ id: title, title })),
        outDir: join(dir, 'out'),
        seed: 1,
        multiLabel: false,
        noneOfThese: false,
      },
      { signal: cancelling.signal },
    );
    const ended = expect(run).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => helperPids().length).toBe(2);
    cancelling.abort();
    await ended;
    await expect.poll(helperPids).toEqual([]);
  },
);
