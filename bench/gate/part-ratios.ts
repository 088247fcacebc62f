import { type ModelRef, openImage } from '@lynceus/engine';
import sharp from 'sharp';
import { startEngine } from '../engine.js';
import { resizeAndRun } from '../speed/bare-work.js';
import { generalCalls } from '../speed/general-calls.js';
import type { Images } from '../speed/images.js';
import { loadInsides } from '../speed/insides.js';
import { median } from './judge.js';

/** The first is not counted. */
const rounds = 4;

/**
 * CPU of the bare fast detector, which only decodes, resizes and runs its graph, over CPU of each part of general
 * recognition, in this process: the same images, one after the other.
 */
export async function measurePartRatios({ jpegs }: Images): Promise<ReadonlyMap<string, number>> {
  const engine = await startEngine();
  const closers: (() => Promise<void>)[] = [() => engine.close()];
  try {
    const { openModel, tasks } = await loadInsides();
    sharp.concurrency(1);
    sharp.cache(false);
    const calls = await generalCalls(engine, 'dense');
    const { dir } = engine.ref('coco-ssd');
    const runBare = await resizeAndRun(jpegs, [{ dir, width: 300, height: 300, thresholds: true }]);
    const models = new Map<string, Awaited<ReturnType<typeof openModel>>>();
    const load = async (ref: ModelRef) => {
      const open = models.get(ref.dir) ?? (await openModel(ref, 'cpu'));
      if (!models.has(ref.dir)) closers.push(() => open.close());
      models.set(ref.dir, open);
      return open.model;
    };

    const measureRound = async (): Promise<ReadonlyMap<string, number>> => {
      const sums = new Map<string, number>();
      const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const before = process.cpuUsage();
        const result = await work();
        const { user, system } = process.cpuUsage(before);
        sums.set(name, (sums.get(name) ?? 0) + user + system);
        return result;
      };
      for (const [index, bytes] of jpegs.entries()) {
        await timed('bare', () => runBare(index));
        const image = await timed('decode', () =>
          openImage(
            { kind: 'bytes', bytes },
            { limits: { maxPixels: 50_000_000 }, detailPx: Number.MAX_SAFE_INTEGER },
          ),
        );
        const earlier: Record<string, unknown> = {};
        for (const { task, options } of calls) {
          const context = { image, load, earlier, signal: new AbortController().signal };
          earlier[task] = await timed<unknown>(task, () => tasks[task].run(context, options as never));
        }
      }
      return sums;
    };

    const measured: ReadonlyMap<string, number>[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measureRound());
    const counted = measured.slice(1);
    const names = [...(counted[0]?.keys() ?? [])].filter((name) => name !== 'bare');
    if (names.length === 0) throw new Error('there are no images to measure with');
    return new Map(
      names.map((name) => [
        `bare detector / part: ${name}`,
        median(counted.map((sums) => (sums.get('bare') ?? Number.NaN) / (sums.get(name) ?? Number.NaN))),
      ]),
    );
  } finally {
    for (const close of closers) await close();
  }
}
