import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../service.js';

export interface StreamSettings {
  readonly fps: number;
  /** Without, each frame is analysed, whether or not something moves in it. */
  readonly hasGate: boolean;
  readonly clips?: boolean;
}

/** Streams of a service under test. */
export interface StreamsOfService {
  add(count: number, settings: StreamSettings): Promise<void>;
  removeAll(): Promise<void>;
  /** Analysed frames a second of each, as the service says. */
  readFps(): Promise<readonly number[]>;
  /** Of those so far, up to 100. */
  countTracks(): Promise<number>;
}

const settleSeconds = 90;

export function streamsOf({ url, key }: Service, address: string): StreamsOfService {
  const call = async (path: string, method = 'GET', body?: object) => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} /api/${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const list = async (): Promise<{ id: number; state: { state: string; fps: number } }[]> =>
    (await call('streams?limit=100')).data;
  return {
    async add(count, { fps, hasGate, clips = false }) {
      for (let index = 0; index < count; index++) {
        const settings = { fps, motion_gate: hasGate, clips };
        await call('streams', 'POST', {
          name: `camera ${index}`,
          source: { kind: 'rtsp', address },
          settings,
        });
      }
      for (let waited = 0; waited < settleSeconds; waited++) {
        if ((await list()).every(({ state }) => state.state === 'running')) return;
        await sleep(1000);
      }
      throw new Error(`not all streams run: ${JSON.stringify(await list())}`);
    },
    async removeAll() {
      for (const { id } of await list()) await call(`streams/${id}`, 'DELETE');
    },
    readFps: async () => (await list()).map(({ state }) => state.fps),
    countTracks: async () => (await call('stream-tracks?limit=100')).data.length,
  };
}
