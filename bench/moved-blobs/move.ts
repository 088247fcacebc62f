import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { runCommand, startService } from '../service.js';
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

/** Copies that are killed, on each way. */
const kills = 5;
/** When a copy has begun, on a quiet machine. */
const firstKillMs = 900;
const commandLine = new URL('../../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const firstKey = 'the-first-key-of-what-moves';

/**
 * Moves a filled installation to a bucket and back, with copies that are killed, and reads all through the service
 * before, between and after. The folder is removed once the bucket is used, and the store is killed at the end.
 */
export async function moveAndBack(amounts: Amounts, log: (line: string) => void): Promise<Moved> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-moved-'));
  const store = await startRadosgw();
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
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    };
    const run = (...words: string[]) => runCommand(['blobs', ...words], inBucket);
    const stepMs = 250 + (amounts.images + amounts.people) / 5;
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
      await copyAndKill(inBucket, 'bucket', stepMs, log);
      await refused(run('switch', '--to', 'bucket'));
      return { filled: made, digests: await digestAll(client, made) };
    });
    const read = (client: LynceusClient) => digestAll(client, filled);
    await refused(startService(inBucket, undefined, 1));
    await run('copy', '--to', 'bucket');
    const there = await run('verify', '--to', 'bucket', '--content');
    await run('switch', '--to', 'bucket');
    log(`in the bucket: ${there.trim()}`);
    await refused(startService(inFolder, undefined, 1));
    // Nothing of it is needed any more.
    for (const name of ['blobs', 'custom-models']) await rm(join(dir, 'data', name), { recursive: true });
    const fromBucket = await withService(inBucket, async (client) => {
      await copyAndKill(inBucket, 'folder', stepMs, log);
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
    await store.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function withService<T>(settings: Settings, work: (client: LynceusClient) => Promise<T>): Promise<T> {
  const service = await startService(settings);
  try {
    return await work(createLynceusClient({ baseUrl: service.url, apiKey: firstKey }));
  } finally {
    await service.stop();
  }
}

/** Kills one copy after the other, each later than the one before: none of them begins from nothing. */
async function copyAndKill(
  settings: Settings,
  to: 'bucket' | 'folder',
  stepMs: number,
  log: (line: string) => void,
): Promise<void> {
  const words = JSON.stringify(['blobs', 'copy', '--to', to]);
  const script = `await (await import('${commandLine}')).runCommandLine(${words})`;
  for (let killed = 0; killed < kills; killed += 1) {
    const copy = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...settings },
      stdio: 'ignore',
    });
    const ended = new Promise<string>((resolve) =>
      copy.once('exit', (_code, signal) => resolve(signal === null ? 'had ended before' : 'was killed')),
    );
    await sleep(firstKillMs + stepMs * killed);
    copy.kill('SIGKILL');
    log(`copy ${killed + 1} to the ${to} ${await ended}`);
  }
}
