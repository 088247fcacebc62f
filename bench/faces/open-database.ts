import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Analysis, FaceChainName, ModelRunner } from '@lynceus/engine';
import { createKey } from '#server/accounts/keys.js';
import { systemClock } from '#server/core/clock.js';
import { openFaceDatabase } from '#server/faces/face-database.js';
import { createMemoryFaceIndex } from '#server/faces/index/memory-face-index.js';
import { createStoredGalleries } from '#server/faces/stored-galleries.js';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { createProcessLeases } from '#server/storage/leases/process-leases.js';
import { openServiceStorage } from '#server/storage/open-storage.js';
import type { BenchEngine } from '../engine.js';

/** The face database of the service, on a temporary folder, with an account; without HTTP. */
export async function openBenchFaces({ catalog, runner }: BenchEngine, faceChain: FaceChainName) {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-faces-'));
  const storage = await openServiceStorage(dataFolder(dir));
  const { database } = storage;
  const onDamaged = () => console.log('a stored vector is damaged');
  const index = createMemoryFaceIndex({
    stored: createStoredGalleries({ database, onDamaged }),
    onDamaged,
    maxBytes: 1e9,
    onThreadCrashed: (error) => console.log(`the thread of the index was lost: ${error.message}`),
  });
  const faces = await openFaceDatabase({
    installationKeys: [randomBytes(32)],
    database,
    clock: systemClock,
    leases: createProcessLeases({ database, folderUid: storage.pair.folder, isAlone: true }),
    index,
    imageFiles: await openFolderBlobs(join(dir, 'faces')),
    faceChain,
    limits: { accountMaxFaces: 0, accountMaxFaceBytes: 0 },
    disk: { require: async () => undefined },
    runner: rememberAnswers(runner),
    installedModel: (id) => catalog.installed(id),
    maxPixels: 50_000_000,
    maxImageBytes: 25 * 2 ** 20,
  });
  const account = { account: 'bench', name: 'bench', expiresAt: null };
  const accounts = { database, clock: systemClock, trialCalls: 1, resultDays: 1 };
  const { accountId } = await createKey(accounts, account);
  return {
    accountId,
    database,
    faces,
    async close() {
      await index.close();
      await storage.close();
      await rm(dir, { recursive: true });
    },
  };
}

/** Runs the engine once per image: its answer is the same every time, and it is not measured here. */
function rememberAnswers(runner: Pick<ModelRunner, 'analyse'>): Pick<ModelRunner, 'analyse'> {
  const answers = new Map<string, Promise<Analysis>>();
  return {
    analyse(job, options) {
      if (job.source.kind !== 'bytes') return runner.analyse(job, options);
      const hash = createHash('sha256').update(job.source.bytes);
      const name = hash.update(JSON.stringify(job.tasks)).digest('hex');
      const known = answers.get(name) ?? runner.analyse(job, options);
      answers.set(name, known);
      return known;
    },
  };
}
