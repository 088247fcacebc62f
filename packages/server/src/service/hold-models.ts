import { EngineError, type ModelRunner, modelsOf } from '@lynceus/engine';
import type { Logger } from '../core/logger.js';
import type { HeldFile } from '../storage/blobs/blob-store.js';
import type { ObjectFolders } from '../storage/objects/object-folders.js';

/**
 * The same runner where versions of customers' models are in a bucket: a job waits until those that it names are on this
 * machine, and they stay until it ends. While the bucket is away, a job fails whose model is not here.
 */
export function holdModels<Runner extends Pick<ModelRunner, 'analyse'>>(
  runner: Runner,
  models: Pick<ObjectFolders, 'idOf' | 'hold' | 'placeOf'>,
  logger: Pick<Logger, 'warn'>,
): Runner {
  return {
    ...runner,
    async analyse(job, options) {
      const ids = new Set<string>();
      for (const { dir } of job.tasks.flatMap((call) => modelsOf(call.options))) {
        const id = models.idOf(dir);
        if (id !== null) ids.add(id);
      }
      if (ids.size === 0) return runner.analyse(job, options);
      const held: HeldFile[] = [];
      try {
        for (const id of ids) {
          const folder = await unlessAborted(models.hold(id), options.signal);
          if (folder === null) {
            const object = models.placeOf(id);
            // Unless it was deleted a moment ago. Callers hear that the version is gone.
            logger.warn(
              { object },
              'the files of a version are not in the bucket: bring the object back, or run lynceus blobs copy --to bucket where they are in the data folder',
            );
            throw new EngineError('model-missing', `${object} is not in the bucket`);
          }
          held.push(folder);
        }
        return await runner.analyse(job, options);
      } finally {
        for (const { release } of held) release();
      }
    },
  };
}

/** What is held after nobody waits any more is released. */
async function unlessAborted(
  holding: Promise<HeldFile | null>,
  signal: AbortSignal | undefined,
): Promise<HeldFile | null> {
  if (signal === undefined) return holding;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new EngineError('aborted', 'the caller gave up'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    holding
      .then((held) => {
        if (signal.aborted) held?.release();
        else resolve(held);
      }, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
