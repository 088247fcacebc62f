import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'libsql';
import { expect } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { sample } from '../support/sample.js';

/** The real service with small limits, called with a trial's key, and eyes on what it leaves behind. */
export interface GuardedService extends Service {
  filesInSpool(): Promise<readonly string[]>;
  /** Calls that were counted, over all accounts. */
  callsCounted(): number;
  /** The sample through v2, which must be found; counts as a call. */
  expectAlive(): Promise<void>;
}

export const limits = { imageBytes: 4 * 1024 * 1024, jsonBytes: 6 * 1024 * 1024, queue: 16 };

export async function startGuardedService(): Promise<GuardedService> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-hostile-'));
  const dataDir = join(dir, 'data');
  const spoolDir = join(dir, 'spool');
  const service = await startService({
    LYNCEUS_RECOGNITION_PARTS: 'objects',
    LYNCEUS_DATA_DIR: dataDir,
    LYNCEUS_SPOOL_DIR: spoolDir,
    LYNCEUS_MAX_IMAGE_BYTES: String(limits.imageBytes),
    LYNCEUS_MAX_JSON_BYTES: String(limits.jsonBytes),
    LYNCEUS_INFERENCE_QUEUE_MAX: String(limits.queue),
    LYNCEUS_FETCH_TIMEOUT_MS: '1000',
    LYNCEUS_FETCH_ALLOWED_NETWORKS: '127.0.0.2/32',
  });
  const database = new Database(join(dataDir, 'lynceus.db'));
  return {
    ...service,
    key: await makeTrialKey(dataDir),
    async filesInSpool() {
      const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
      return found.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    callsCounted() {
      const row: unknown = database.prepare('select sum(calls_used) as calls from account').get();
      return typeof row === 'object' && row && 'calls' in row ? Number(row.calls) : Number.NaN;
    },
    async expectAlive() {
      const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
        method: 'PUT',
        body: JSON.stringify({ base64str: sample.toString('base64'), model_id: 'coco-fast' }),
      });
      expect(await answer.json()).toMatchObject({ status: 1, predictions: [{ class_title: 'stop sign' }] });
    },
    async stop() {
      database.close();
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const commandLine = fileURLToPath(
  new URL('../../../packages/server/dist/bundle/lynceus.mjs', import.meta.url),
);

async function makeTrialKey(dataDir: string): Promise<string> {
  const make = `(await import(${JSON.stringify(commandLine)})).runCommandLine(['keys', 'create', '--account', 'trial'])`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `await ${make}`],
    {
      env: { ...process.env, LYNCEUS_DATA_DIR: dataDir },
    },
  );
  return stdout.trim();
}
