import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type BareModel, decodeAndReplay, resizeAndRun } from './bare-work.js';

/**
 * The baseline of the service: a process that only decodes the same JPEGs and runs the models on them,
 * one thread, in a loop.
 */
export interface BareLoopTask {
  readonly images: readonly string[];
  /** Run after a resize to each one's input, or runs as they were recorded, one file an image. */
  readonly work: { readonly models: readonly BareModel[] } | { readonly recordings: readonly string[] };
  readonly seconds: number;
}

export interface BareLoopResult {
  readonly images: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

async function runBareLoop({ images: paths, work, seconds }: BareLoopTask): Promise<BareLoopResult> {
  sharp.concurrency(1);
  sharp.cache(false);
  const jpegs = await Promise.all(paths.map((path) => readFile(path)));
  const once =
    'models' in work ? await resizeAndRun(jpegs, work.models) : await decodeAndReplay(jpegs, work.recordings);
  for (const index of jpegs.keys()) await once(index);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let images = 0;
  // Whole rounds, so that each image counts as often as any other.
  while (performance.now() - startedAt < seconds * 1000) {
    for (const index of jpegs.keys()) await once(index);
    images += jpegs.length;
  }
  const cpu = process.cpuUsage(cpuBefore);
  return {
    images,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

process.on('message', (task: BareLoopTask) => {
  runBareLoop(task).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
