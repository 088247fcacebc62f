import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { runCommandHere, startServiceHere } from '../in-this-process.js';
import { commandWords, runUntilKilled } from '../kill/run-until-killed.js';
import { type Amounts, digestAll, fill } from './contents.js';

export interface Moved {
  /** SHA-256 of all that clients can read. */
  readonly inFolder: readonly string[];
  readonly inBucket: readonly string[];
  readonly inFolderAgain: readonly string[];
  /** What was printed by `blobs verify`, there and back. */
  readonly verified: readonly string[];
  /** Refusals that are expected, as they were printed. */
  readonly refusals: readonly string[];
}

type Settings = Readonly<Record<string, string>>;

/** When a copy has begun, on a quiet machine. */
const firstKillMs = 900;
const firstKey = 'the-first-key-of-what-moves';

/**
 * Moves a filled installation to a bucket and back, with copies that are killed, and reads all through the service
 * before, between and after. The folder is removed once the bucket is used, and the store is killed at the end.
 */
export async function moveAndBack(
  amounts: Amounts,
  { kills, log }: { readonly kills: number; readonly log: (line: string) => void },
): Promise<Moved> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-moved-'));
  const store = await startRadosgw();
  const forget = useCredentials(store);
  try {
    const inFolder: Settings = {
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FIRST_KEY: firstKey,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'faces',
    };
    const inBucket: Settings = {
      ...inFolder,
      LYNCEUS_BLOBS: `s3://${store.bucket}/moved`,
      LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
    };
    const run = (...words: string[]) => runCommandHere(['blobs', ...words], inBucket);
    // Each copy is killed later than the one before: none of them begins from nothing.
    const stepMs = 250 + (amounts.images + amounts.people) / 5;
    const killCopies = async (to: 'bucket' | 'folder') => {
      for (let killed = 0; killed < kills; killed += 1) {
        const words = commandWords(['blobs', 'copy', '--to', to]);
        const isDue = () => sleep(firstKillMs + stepMs * killed, true);
        const end = await runUntilKilled(words, isDue, inBucket);
        log(`copy ${killed + 1} to the ${to} ${end === 'killed' ? 'was killed' : 'had ended before'}`);
      }
    };
    const refusals: string[] = [];
    const refused = async (work: Promise<unknown>) =>
      refusals.push(
        await work.then(
          () => 'not refused',
          (error: unknown) => String(error),
        ),
      );
    const { filled, digests } = await withService(inFolder, async (client) => {
      const made = await fill(client, amounts);
      log('filled');
      // While the service runs.
      await killCopies('bucket');
      await refused(run('switch', '--to', 'bucket'));
      return { filled: made, digests: await digestAll(client, made) };
    });
    const read = (client: LynceusClient) => digestAll(client, filled);
    await refused(startServiceHere(inBucket));
    await run('copy', '--to', 'bucket');
    const there = await run('verify', '--to', 'bucket', '--content');
    await run('switch', '--to', 'bucket');
    log(`in the bucket: ${there.trim()}`);
    await refused(startServiceHere(inFolder));
    // Nothing of it is needed any more.
    for (const name of ['blobs', 'custom-models']) await rm(join(dir, 'data', name), { recursive: true });
    const fromBucket = await withService(inBucket, async (client) => {
      await killCopies('folder');
      return read(client);
    });
    await run('copy', '--to', 'folder');
    const back = await run('verify', '--to', 'folder', '--content');
    await run('switch', '--to', 'folder');
    log(`in the folder: ${back.trim()}`);
    await store.kill();
    const inFolderAgain = await withService(inFolder, read);
    return { inFolder: digests, inBucket: fromBucket, inFolderAgain, verified: [there, back], refusals };
  } finally {
    forget();
    await store.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function withService<T>(settings: Settings, work: (client: LynceusClient) => Promise<T>): Promise<T> {
  const service = await startServiceHere(settings);
  try {
    return await work(createLynceusClient({ baseUrl: service.url, apiKey: firstKey }));
  } finally {
    await service.stop();
  }
}

/** In the environment of this process, where clients of Amazon read them; returns what puts back those of before. */
function useCredentials({ accessKeyId, secretAccessKey }: ObjectServer): () => void {
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const before = Object.keys(credentials).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, credentials);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
