import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import { openImage } from '../../image/open-image.js';
import type { OpenedImage } from '../../image/pixel-image.js';
import { openPixels } from '../../image/raw-pixels.js';
import { chainsOf } from '../../tasks/chains.js';
import type { LoadedModel, Task } from '../../tasks/task.js';
import type { Analysis } from '../job.js';
import { type AnalyseWork, modelKey } from '../messages.js';
import type { ModelCache } from './model-cache.js';
import { chainsToRun, type Sharing } from './sharing.js';

export type TaskTable = Readonly<Record<string, Task<string, never, unknown>>>;

export interface AnalyseContext {
  readonly tasks: TaskTable;
  readonly models: ModelCache;
  readonly signal: AbortSignal;
  /** Reports the work as decoding of an untrusted image while it runs; `onSlow` is called with the pixels of an AVIF or HEIC. */
  readonly whileDecoding: <T>(work: (onSlow: (pixels: number) => void) => Promise<T>) => Promise<T>;
  /** Given when other processes may run chains of tasks. */
  readonly sharing?: Sharing;
}

/**
 * Opens the image once, with the detail of its most demanding task, and runs the tasks in their order: all of them,
 * or those that no other process claims.
 */
export async function analyse(job: AnalyseWork, context: AnalyseContext): Promise<Analysis> {
  const { tasks, models, signal, whileDecoding, sharing } = context;
  const calls = job.tasks.map(({ task: name, options }) => {
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (!task) throw new EngineError('internal', `there is no task "${name}"`);
    return { task: name, definition: task, options: options as never };
  });
  const timingsMs: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const start = performance.now();
    const result = await work();
    timingsMs[name] = (timingsMs[name] ?? 0) + performance.now() - start;
    return result;
  };

  const detailPx = Math.max(0, ...calls.map(({ definition, options }) => definition.detailPx(options)));
  const rasters = calls.reduce((sum, { definition, options }) => sum + definition.rasters(options), 0);
  const { source, limits } = job;
  const image: OpenedImage = await timed('decode', async () =>
    source.kind === 'pixels'
      ? openPixels(source)
      : decodingLater(
          await whileDecoding((onSlow) => openImage(source, { limits, detailPx, rasters, onSlow })),
          whileDecoding,
        ),
  );
  const used = new Map<string, ModelRef>();
  const load = async (ref: ModelRef): Promise<LoadedModel> => {
    signal.throwIfAborted();
    used.set(modelKey(ref), ref);
    return cancellable(await models.load(ref, new Set(used.keys())), signal);
  };
  const results: Record<string, unknown> = {};
  for await (const chain of chainsToRun(chainsOf(calls), image, sharing)) {
    for (const { task, definition, options } of chain) {
      const taskContext = { image, load, earlier: results, signal };
      results[task] = await timed(task, () => definition.run(taskContext, options));
    }
  }
  const { kind, width, height, orientation } = image;
  return {
    image: { kind, width, height, ...(orientation !== undefined && { orientation }) },
    results,
    models: [...used.values()].map(({ id, version }) => ({ id, version })),
    timingsMs,
  };
}

/** An image without pixels is decoded when its raster is read. */
function decodingLater(image: OpenedImage, whileDecoding: AnalyseContext['whileDecoding']): OpenedImage {
  if (image.pixels) return image;
  const decode = <T>(work: () => Promise<T>) =>
    whileDecoding((onSlow) => {
      if (image.kind === 'avif') onSlow(image.width * image.height);
      return work();
    });
  return {
    ...image,
    raster: (request) => decode(() => image.raster(request)),
    patch: (request) => decode(() => image.patch(request)),
  };
}

/** A run blocks the thread, so the channel is served between two runs: an abort arrives there. */
function cancellable(model: LoadedModel, signal: AbortSignal): LoadedModel {
  return {
    ...model,
    run: async (feeds) => {
      await yieldToEventLoop();
      signal.throwIfAborted();
      return model.run(feeds);
    },
  };
}
