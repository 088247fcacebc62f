import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Service, startService } from '../service.js';
import { api } from './api-kinds.js';
import { startImageHost } from './image-host.js';
import { makeImages } from './images.js';
import type { Scene } from './kind.js';
import { readObject } from './outcome.js';
import { createVisitor, type Visitor } from './visitor.js';

export interface LoadedService {
  readonly service: Service;
  readonly scene: Scene;
  /** Calls that the service counted so far, by the scene's keys. */
  countedCalls(): Promise<{ readonly key: number; readonly fickle: number }>;
  stop(): Promise<void>;
}

/** Fewer than the clients, so that some of them are answered busy. */
const queueMax = 22;

/** The real service, with a host of images beside it. */
export async function startLoadedService({
  requestTimeoutMs,
}: {
  readonly requestTimeoutMs: number;
}): Promise<LoadedService> {
  const images = await makeImages();
  const host = await startImageHost(images.jpeg);
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-load-'));
  const settings = {
    LYNCEUS_DATA_DIR: dataDir,
    LYNCEUS_TRIAL_CALLS: '0',
    LYNCEUS_FETCH_ALLOWED_NETWORKS: host.network,
    LYNCEUS_INFERENCE_QUEUE_MAX: String(queueMax),
    LYNCEUS_REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
  };
  const clear = async () => {
    await host.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const service = await startService(settings).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  const spent = await runCommand(['keys', 'create', '--account', 'spent', '--json'], settings);
  const { url, key } = service;
  const visitor = createVisitor(url);
  const fickle = await makeKey(visitor, key);
  const own = readObject((await visitor.ask(api(key, 'GET', '/api/keys'))).text);
  const ownId = (Array.isArray(own['data']) ? own['data'] : [])
    .map(readObject)
    .find((row) => row['is_current'])?.['id'];
  return {
    service,
    scene: { url, key, fickleKey: fickle.key, spentKey: String(readObject(spent)['key']), images, host },
    async countedCalls() {
      const total = async (id: unknown) => {
        const { text } = await visitor.ask(api(key, 'GET', `/api/usage?key_id=${id}`));
        return Number(readObject(text)['total']);
      };
      return { key: await total(ownId), fickle: await total(fickle.id) };
    },
    async stop() {
      await visitor.close();
      await service.stop();
      await clear();
    },
  };
}

async function makeKey(
  visitor: Visitor,
  key: string,
): Promise<{ readonly key: string; readonly id: number }> {
  const { outcome, text } = await visitor.ask(api(key, 'POST', '/api/keys', '{"name": "fickle"}'));
  if (outcome !== '201') throw new Error(`no second key could be made: ${outcome} ${text}`);
  const made = readObject(text);
  return { key: String(made['key']), id: Number(made['id']) };
}
