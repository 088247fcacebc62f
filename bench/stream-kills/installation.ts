import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMosquitto, subscribe } from '#server/streams/outputs/fixtures/mosquitto.js';
import { crashService } from '../crash/crash-service.js';
import { freePort } from '../free-port.js';
import { startSingleService } from '../single-service.js';
import { startSignCamera } from './camera.js';
import { type Killed, killBelow } from './faults.js';
import { startHook } from './hook.js';

/** A service with one camera, whose events go to a webhook and to a broker. */
export interface Installation {
  readonly dataDir: string;
  /** Numbers of the events that the webhook took, in order, and of those that a subscriber of the broker heard. */
  readonly taken: readonly number[];
  heard(): readonly number[];
  /** What the broker says last of the service, `online` or `offline`. */
  availability(): string | undefined;
  /** Resolves when what was killed was started again; the service only after `beforeRestart`. Answers what was wrong. */
  kill(victim: Killed, beforeRestart: () => Promise<void>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-stream-kills-'));
  const [camera, receiver, broker] = [await startSignCamera(), await startHook(), await startMosquitto()];
  const listener = await subscribe(broker.url, ['lynceus/#']);
  const key = `bench_${randomBytes(24).toString('base64url')}`;
  const settings = {
    LYNCEUS_DATA_DIR: dataDir,
    LYNCEUS_PORT: String(await freePort()),
    LYNCEUS_FIRST_KEY: key,
    LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  let service = await startSingleService(settings);
  const add = async (path: string, body: unknown) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await add('/api/stream-outputs', { name: 'hook', settings: { kind: 'webhook', url: receiver.url } });
  await add('/api/stream-outputs', { name: 'broker', settings: { kind: 'mqtt', url: broker.url } });
  await add('/api/streams', {
    name: 'road',
    source: { kind: 'rtsp', address: camera.address },
    settings: { clips: true, clip_seconds_before: 1, clip_seconds_after: 1, motion_gate: false },
  });

  const killOne = async (word: string, name: string) =>
    (await killBelow(service.pid, word)) ? [] : [`there was no ${name} to kill`];
  return {
    dataDir,
    taken: receiver.taken,
    heard: () => listener.at('lynceus/road/events').map((text) => Number(JSON.parse(text).seq)),
    availability: () => listener.last().get('lynceus/available'),
    async kill(victim, beforeRestart) {
      if (victim === 'ffmpeg') return killOne('ffmpeg', 'ffmpeg');
      if (victim === 'an inference process') return killOne('runtime', 'inference process');
      if (victim === 'the camera') await camera.restart();
      if (victim === 'the broker') {
        await broker.kill();
        await sleep(1000);
        await broker.start();
      }
      if (victim !== 'the service') return [];
      const survivors = await crashService(service, 'the service alone');
      await beforeRestart();
      service = await startSingleService(settings);
      return survivors;
    },
    async close() {
      await service.stop();
      await listener.close();
      await Promise.all([camera.stop(), receiver.stop(), broker.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
