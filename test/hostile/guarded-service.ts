import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { sample } from '../support/sample.js';

/** The real service with small limits, called with a key that has a limit of calls, and eyes on what it leaves behind. */
export interface GuardedService extends Service {
  filesInSpool(): Promise<readonly string[]>;
  /** Calls that were counted. */
  callsCounted(): Promise<number>;
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
  const ask = async (path: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${service.url}${path}`, {
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  // Calls that can run out are counted before the work and given back.
  const { key } = await ask('/api/keys', { name: 'limited', call_limit: 1_000_000 });
  return {
    ...service,
    key: String(key),
    async filesInSpool() {
      const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
      return found.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    async callsCounted() {
      const { calls } = await ask('/api/account');
      return typeof calls === 'object' && calls && 'used' in calls ? Number(calls.used) : Number.NaN;
    },
    async expectAlive() {
      const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
        method: 'PUT',
        body: JSON.stringify({ base64str: sample.toString('base64'), model_id: 'coco-fast' }),
      });
      expect(await answer.json()).toMatchObject({ status: 1, predictions: [{ class_title: 'stop sign' }] });
    },
    async stop() {
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
