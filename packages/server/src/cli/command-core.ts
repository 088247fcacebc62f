import { join } from 'node:path';
import { createProcessRunner, createTrainer, type ProcessRunner } from '@lynceus/engine';
import { createLogger } from '../core/logger.js';
import { createMetrics } from '../core/metrics.js';
import { processLimits } from '../core/process-limits.js';
import type { Settings } from '../core/settings.js';
import { openSpool, type Spool } from '../intake/spool.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import { type Core, createCore } from '../service/core.js';
import { readOwnVersion } from '../service/installation/own-version.js';
import { dataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { requireBucket } from '../storage/objects/claim-bucket.js';
import { type ObjectStorage, openObjectStorage } from '../storage/objects/object-storage.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { readInstallationKeys } from '../storage/secrets/installation-key.js';
import { type CommandContext, settingsOf } from './context.js';
import { openModels } from './open-models.js';
import { commandJobTimeoutMs } from './open-runner.js';
import { createTemporaryFolder } from './temporary-folder.js';

export interface CommandCoreOptions {
  /** Whether the command reads or writes files of the data folder, and not the database alone. */
  readonly usesFiles: boolean;
  /** Inference processes; those of the settings unless given. */
  readonly processes?: number;
  /** Of these processes: see setpriority(2). */
  readonly niceness?: number;
}

/** Images that may wait for each inference process. */
const queuePerProcess = 16;

/** What the modules of a command are made from, for its time, beside a running service or without one. */
export async function withCommandCore<T>(
  context: CommandContext,
  { usesFiles, processes, niceness = 5 }: CommandCoreOptions,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, {
    ...settings,
    usesFiles,
    version: readOwnVersion(),
  });
  const { database } = storage;
  const closers: (() => Promise<unknown>)[] = [() => storage.close()];
  try {
    const atWork = processes ?? settings.inferenceProcesses;
    const runner = createProcessRunner({
      processes: atWork,
      niceness,
      queueMax: queuePerProcess * Math.max(1, atWork),
      jobTimeoutMs: commandJobTimeoutMs,
      ...processLimits(settings),
    });
    closers.push(() => runner.close());
    const spool = usesFiles ? await openOwnSpool(settings.spoolMaxBytes, closers) : noSpool;
    // Keys, accounts and users can be managed also where the folder of models is damaged.
    const catalog = usesFiles ? await openModels(context) : undefined;
    const objects = usesFiles ? await openOwnObjects(settings, database, closers) : null;
    return await work(
      await createCore({
        objects,
        mode: 'command',
        settings,
        clock: database.clock,
        logger: createLogger({ level: 'warn', stream: { write: (line) => context.note(noteOf(line)) } }),
        metrics: createMetrics(),
        folder,
        folderUid: '',
        database,
        installationKeys: () => readInstallationKeys({ database, folder, settings }),
        runner: startedWhenAsked(runner),
        trainer: createTrainer({
          maxRssBytes: settings.trainingMaxMemoryMb * 2 ** 20,
          processes: settings.inferenceProcesses,
          timeoutMs: settings.trainingTimeoutMs,
          onFault: (detail) => context.note(detail),
        }),
        spool,
        installedModel: (id) => catalog?.installed(id),
        builtinModels: catalog ? createBuiltinModels(catalog.list(), settings) : createBuiltinModels(),
      }),
    );
  } finally {
    for (const close of closers.reverse()) {
      // It must not hide the error of the command.
      await close().catch((error: unknown) => context.note(String(error)));
    }
  }
}

/** The caches of the data folder are the service's, which empties them. */
async function openOwnObjects(
  settings: Settings,
  database: Database,
  closers: (() => Promise<unknown>)[],
): Promise<ObjectStorage | null> {
  if (settings.blobs === '') {
    await requireBucket(database, null);
    return null;
  }
  const { dir, remove } = await createTemporaryFolder('objects');
  closers.push(remove);
  const caches = { dir, blobCacheDir: join(dir, 'files'), modelCacheDir: join(dir, 'models') };
  const objects = await openObjectStorage(settings, caches);
  closers.push(async () => objects?.close());
  await requireBucket(database, objects?.bucket ?? null);
  return objects;
}

/** The spool of the data folder is the service's, which sweeps it. */
async function openOwnSpool(maxBytes: number, closers: (() => Promise<unknown>)[]): Promise<Spool> {
  const { dir, remove } = await createTemporaryFolder('command');
  closers.push(remove);
  return openSpool({ dir, maxBytes });
}

const refuseImages = (): never => {
  throw new Error('this command takes no images');
};
/** Of a command that works on the database alone: keys can be revoked also where there is no temporary folder. */
const noSpool: Spool = {
  dir: '',
  bytesInUse: 0,
  createFile: refuseImages,
  holdInMemory: refuseImages,
  of: refuseImages,
};

/** Starts inference processes with the first image: most commands look at none. */
function startedWhenAsked(runner: ProcessRunner): ProcessRunner {
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= runner.start();
    return started;
  };
  return {
    ...runner,
    analyse: async (job, options) => {
      await start();
      return runner.analyse(job, options);
    },
    unpackJson: async (job, options) => {
      await start();
      return runner.unpackJson(job, options);
    },
  };
}

/** A line of the log as a person at a terminal reads it. */
function noteOf(line: string): string {
  const { level: _level, time: _time, msg, err, ...fields } = JSON.parse(line);
  const details = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  return [msg, ...details, ...(err ? [err.message] : [])].join(', ');
}
