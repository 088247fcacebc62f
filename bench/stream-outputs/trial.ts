import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { insertEvent, newTrack } from '#server/streams/fixtures/insert-event.js';
import { type Mosquitto, startMosquitto, subscribe } from '#server/streams/outputs/fixtures/mosquitto.js';
import { startSingleService } from '../single-service.js';
import { startHook } from './hook.js';

export interface OutputTrial {
  readonly sent: readonly number[];
  readonly kills: { readonly service: number; readonly broker: number };
  readonly webhook: Judged;
  readonly mqtt: Judged;
  /** How often the broker said in the place of the service that it is gone. */
  readonly wills: number;
}

export interface Judged {
  readonly missing: number;
  /** Received once more after an answer that was lost. */
  readonly repeated: number;
  /** First receptions that came before an earlier event's. */
  readonly disordered: number;
}

const eventsPerRound = 30;

/** Events are recorded all the time, while the service and the broker are killed in turns; then all must have arrived. */
export async function runOutputTrial(options: {
  readonly rounds: number;
  readonly log: (line: string) => void;
}): Promise<OutputTrial> {
  const { rounds, log } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-stream-outputs-'));
  const broker = await startMosquitto();
  const hook = await startHook();
  const ears = await subscribe(broker.url, ['lynceus/#']);
  const settings = {
    LYNCEUS_DATA_DIR: dir,
    LYNCEUS_ROLES: 'http,jobs',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_INFERENCE_PROCESSES: '1',
  };
  let service = await startSingleService(settings);
  const storage = await openCommandStorage(dataFolder(dir));
  const { key } = service;
  try {
    const api = async (path: string, body: object) => {
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const json = JSON.parse(await answer.text());
      if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(json)}`);
      return json;
    };
    const source = { kind: 'rtsp', address: 'rtsp://127.0.0.1:9/live' };
    const stream = await api('/api/streams', { name: 'yard', source, enabled: false });
    await api('/api/stream-outputs', { name: 'hook', settings: { kind: 'webhook', url: hook.url } });
    await api('/api/stream-outputs', { name: 'broker', settings: { kind: 'mqtt', url: broker.url } });
    const { accountId } = await storage.database.query
      .selectFrom('stream')
      .select('account_id as accountId')
      .executeTakeFirstOrThrow();

    const kills = { service: 0, broker: 0 };
    const sent: number[] = [];
    const record = async () => {
      for (let index = 0; index < eventsPerRound; index += 1) {
        sent.push(await insertEvent(storage.database, newTrack(accountId, stream.id), 'start'));
        await sleep(20);
      }
    };
    const heard = () => ears.at('lynceus/yard/events').map((text) => Number(JSON.parse(text).seq));
    const whenAllArrived = async () => {
      for (let tries = 0; tries < 6000; tries += 1) {
        if (new Set(hook.taken).size === sent.length && new Set(heard()).size === sent.length) return;
        await sleep(50);
      }
    };
    for (let round = 0; round < rounds; round += 1) {
      const recorded = record();
      await sleep(Math.random() * eventsPerRound * 20);
      if (round % 2 === 0) {
        kills.service += 1;
        process.kill(service.pid, 'SIGKILL');
        service = await startSingleService(settings);
      } else {
        kills.broker += 1;
        await restart(broker, () => ears.isConnected);
      }
      await recorded;
      await whenAllArrived();
      log(
        `round ${round + 1}: ${sent.length} events, ${hook.taken.length} by webhook, ${heard().length} by MQTT`,
      );
    }
    return {
      sent,
      kills,
      webhook: judge(sent, hook.taken),
      mqtt: judge(sent, heard()),
      wills: ears.at('lynceus/available').filter((text) => text === 'offline').length,
    };
  } finally {
    await storage.close();
    await service.stop();
    await ears.close();
    await hook.stop();
    await broker.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A broker that comes back, and whom the subscriber has found again: what it has for it is in its memory alone until then. */
async function restart(broker: Mosquitto, isConnected: () => boolean): Promise<void> {
  await broker.kill();
  await broker.start();
  while (!isConnected()) await sleep(20);
}

function judge(sent: readonly number[], received: readonly number[]): Judged {
  const first = [...new Set(received)];
  return {
    missing: sent.filter((seq) => !first.includes(seq)).length,
    repeated: received.length - first.length,
    disordered: first.filter((seq, index) => index > 0 && seq < (first[index - 1] ?? 0)).length,
  };
}
