import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import { openPicture } from '../../image/open-picture.js';
import type { LoadedModel, Task } from '../../tasks/task.js';
import type { AnalyseJob, Analysis } from '../job.js';
import { modelKey } from '../messages.js';
import type { ModelCache } from './model-cache.js';

export type TaskTable = Readonly<Record<string, Task<string, never, unknown>>>;

export interface AnalyseContext {
  readonly tasks: TaskTable;
  readonly models: ModelCache;
  readonly signal: AbortSignal;
}

/** Opens the picture once, with the detail of its most demanding task, and runs the tasks in their order. */
export async function analyse(job: AnalyseJob, { tasks, models, signal }: AnalyseContext): Promise<Analysis> {
  const calls = job.tasks.map(({ task: name, options }) => {
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (!task) throw new EngineError('internal', `there is no task "${name}"`);
    return { task, options: options as never };
  });
  const timingsMs: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const start = performance.now();
    const result = await work();
    timingsMs[name] = (timingsMs[name] ?? 0) + performance.now() - start;
    return result;
  };

  const detailPx = Math.max(0, ...calls.map(({ task, options }) => task.detailPx(options)));
  const rasters = calls.reduce((sum, { task, options }) => sum + task.rasters(options), 0);
  const { source, limits } = job;
  const picture = await timed('decode', () => openPicture(source, { limits, detailPx, rasters }));
  const used = new Map<string, ModelRef>();
  const load = async (ref: ModelRef): Promise<LoadedModel> => {
    signal.throwIfAborted();
    used.set(modelKey(ref), ref);
    return cancellable(await models.load(ref, new Set(used.keys())), signal);
  };
  const results: Record<string, unknown> = {};
  for (const { task, options } of calls) {
    results[task.name] = await timed(task.name, () =>
      task.run({ picture, load, earlier: results, signal }, options),
    );
  }
  return {
    picture: { kind: picture.kind, width: picture.width, height: picture.height },
    results,
    models: [...used.values()].map(({ id, version }) => ({ id, version })),
    timingsMs,
  };
}

/** A run blocks the thread, so between two of them the channel gets its turn: an abort is heard there. */
function cancellable(model: LoadedModel, signal: AbortSignal): LoadedModel {
  return {
    ...model,
    run: async (feeds) => {
      await nextTurn();
      signal.throwIfAborted();
      return model.run(feeds);
    },
  };
}
