import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMosquitto, subscribe } from '#server/streams/outputs/fixtures/mosquitto.js';
import { crashService } from '../crash/crash-service.js';
import { freePort } from '../free-port.js';
import type { Service } from '../running-service.js';
import { startSingleService } from '../single-service.js';
import { startHook } from '../stream-outputs/hook.js';
import { startSignCamera } from './camera.js';
import { readKept } from './check.js';
import { type Killed, killBelow, killed } from './faults.js';

/** Until events come again after a kill. */
const recoversWithinMs = 90_000;
/** Of the broker: it says that the service is away after one and a half times of this. */
const availability = 'lynceus/available';

/**
 * One camera with a webhook and a broker, of which something is killed again and again: no event is lost, each output gets them in
 * order, files and rows agree, and availability is right.
 */
export async function runStreamKills({ rounds }: { readonly rounds: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-stream-kills-'));
  const [camera, receiver, broker] = [await startSignCamera(), await startHook(), await startMosquitto()];
  const listener = await subscribe(broker.url, ['lynceus/#']);
  const key = `bench_${randomBytes(24).toString('base64url')}`;
  const settings = {
    LYNCEUS_DATA_DIR: dir,
    LYNCEUS_PORT: String(await freePort()),
    LYNCEUS_FIRST_KEY: key,
    LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  let service: Service = await startSingleService(settings);
  const findings: string[] = [];
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const strike: Readonly<Record<Killed, () => Promise<void>>> = {
    'the service': async () => {
      findings.push(...(await crashService(service, 'the service alone')));
      await waitUntil(() => listener.last().get(availability) === 'offline', 'offline after kill -9');
      service = await startSingleService(settings);
    },
    ffmpeg: async () => {
      if (!(await killBelow(service.pid, 'ffmpeg'))) findings.push('there was no ffmpeg to kill');
    },
    'an inference process': async () => {
      if (!(await killBelow(service.pid, 'runtime'))) findings.push('there was no inference process to kill');
    },
    'the broker': async () => {
      await broker.kill();
      await sleep(1000);
      await broker.start();
    },
    'the camera': () => camera.restart(),
  };
  const waitUntil = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    const deadline = performance.now() + recoversWithinMs;
    while (!(await isSo())) {
      if (performance.now() > deadline) {
        findings.push(`not within ${recoversWithinMs / 1000} s: ${what}`);
        return;
      }
      await sleep(200);
    }
  };
  try {
    await ask('POST', '/api/stream-outputs', {
      name: 'hook',
      settings: { kind: 'webhook', url: receiver.url },
    });
    await ask('POST', '/api/stream-outputs', { name: 'broker', settings: { kind: 'mqtt', url: broker.url } });
    await ask('POST', '/api/streams', {
      name: 'road',
      source: { kind: 'rtsp', address: camera.address },
      settings: { clips: true, clip_seconds_before: 1, clip_seconds_after: 1, motion_gate: false },
    });
    await waitUntil(() => receiver.taken.length > 2, 'the first events');
    for (let round = 0; round < rounds * killed.length; round += 1) {
      const victim = killed[round % killed.length] ?? 'ffmpeg';
      await sleep(Math.random() * 5000);
      const before = Math.max(0, ...receiver.taken);
      await strike[victim]();
      await waitUntil(() => Math.max(0, ...receiver.taken) > before + 1, `events after ${victim} was killed`);
      await waitUntil(
        () => listener.last().get(availability) === 'online',
        `online after ${victim} was killed`,
      );
      const kept = await readKept(dir, receiver.taken);
      findings.push(...kept.findings);
      const doubled = receiver.taken.length - new Set(receiver.taken).size;
      console.log(
        `${String(round + 1).padStart(3)}  ${victim}: ${kept.events} events of ${kept.tracks} tracks, ${kept.files} files, ` +
          `${kept.filesWithoutRow} for the sweep; ${receiver.taken.length} received, ${doubled} twice; ` +
          (findings.length === 0 ? 'nothing lost' : `FOUND: ${findings.join('; ')}`),
      );
      if (findings.length > 0) break;
    }
    const atTopic = new Set(listener.at('lynceus/road/events').map((text) => Number(JSON.parse(text).seq)));
    const last = await readKept(dir, receiver.taken);
    const missing = receiver.taken.filter(
      (seq) => seq <= Math.min(...last.deliveredSeqs) && !atTopic.has(seq),
    );
    if (missing.length > 0)
      findings.push(`the broker never got ${missing.length} events, such as ${missing[0]}`);
  } finally {
    await service.stop();
    await listener.close();
    await Promise.all([camera.stop(), receiver.stop(), broker.stop()]);
    await rm(dir, { recursive: true, force: true });
  }
  if (findings.length > 0) throw new Error(`a guarantee is broken: ${findings.join('; ')}`);
  console.log(`${rounds} kills of each of ${killed.join(', ')}: nothing lost`);
}
