import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { type Killed, killService } from '../kills/kill-service.js';
import { readObject } from '../load/told.js';
import { startService } from '../service.js';
import { findDropLosses } from './check.js';
import { askApi, countStates, readFailed, untilWorkedOff } from './drop-under-test.js';
import { startFarFtp } from './far-ftp.js';
import { startFarHttp } from './far-http.js';
import { type FarSide, readReceived } from './far-side.js';
import type { Ledger } from './ledger.js';
import { type DropAddress, uploadUntilGone } from './uploads.js';
import { createWeather, type Fault, type Weather } from './weather.js';

export interface DropKills {
  readonly ledger: Ledger;
  readonly drops: readonly DropOutcome[];
  readonly slowestStartMs: number;
  /** In words, each thing that was promised and is not so. */
  readonly losses: readonly string[];
}

export interface DropOutcome {
  readonly name: string;
  readonly erred: ReadonlyMap<Fault, number>;
  readonly received: number;
  readonly failed: number;
  readonly states: ReadonlyMap<string, number>;
}

export interface DropKillOptions {
  readonly rounds: number;
  /** Of each drop. */
  readonly clients: number;
  /** Of one life, once it is ready. */
  readonly maxLifeMs: number;
  /** After the last kill, in which the far sides err on. */
  readonly afterMs: number;
  readonly tell: (line: string) => void;
}

const minLifeMs = 500;
/** When all faults are over, what waits must be worked off within this. */
const maxSettleMs = 240_000;
const farSides: Readonly<Record<string, (dir: string, weather: Weather) => Promise<FarSide>>> = {
  http: startFarHttp,
  ftp: startFarFtp,
};

interface Place {
  readonly dir: string;
  readonly far: FarSide;
  readonly id: number;
  readonly address: DropAddress;
}

/** Kills a service again and again amid uploads, while what its drops send to errs; then looks where every file is. */
export async function killAmidUploads({
  rounds,
  clients,
  maxLifeMs,
  afterMs,
  tell,
}: DropKillOptions): Promise<DropKills> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-drop-kills-'));
  const ftpPort = await freePort();
  const settings = {
    LYNCEUS_DATA_DIR: join(dir, 'data'),
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_FTP_MAX_CONNECTIONS: '200',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_DROP_SETTLE_MS: '200',
    LYNCEUS_TRIAL_CALLS: '1000000',
    // One model, so that most of a life is spent on files.
    LYNCEUS_RECOGNITION_PARTS: 'classes',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_LOG_LEVEL: 'error',
  };
  const weather = createWeather(300, 1500);
  const ledger: Ledger = new Map();
  let slowestStartMs = 0;
  const start = async () => {
    const startedAt = performance.now();
    const started = await startService(settings);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - startedAt);
    return started;
  };
  let service = await start();
  const { key } = service;
  const places: Place[] = [];
  try {
    for (const [name, startFarSide] of Object.entries(farSides)) {
      const target = join(dir, name);
      await mkdir(target);
      const far = await startFarSide(target, weather);
      const made = await askApi(service, key, 'POST', '/api/drops', newDrop(name, far));
      const user = String(readObject(JSON.stringify(made['ftp']))['user_name']);
      const address = { name, port: ftpPort, user, key: String(made['key']) };
      places.push({ dir: target, far, id: Number(made['id']), address });
    }
    const losses: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      let isOver = false;
      const uploading = places.flatMap(({ address }) =>
        Array.from({ length: clients }, () => uploadUntilGone(address, ledger, () => isOver)),
      );
      await sleep(minLifeMs + Math.random() * (maxLifeMs - minLifeMs));
      const killed: Killed = Math.random() < 0.2 ? 'the service alone' : 'everything';
      losses.push(...(await killService(service, killed)));
      isOver = true;
      await Promise.all(uploading);
      await service.stop();
      service = await start();
      tell(`${String(round).padStart(3)}  killed ${killed}; ${countFates(ledger)}`);
    }
    await sleep(afterMs);
    weather.clear();
    const drops: DropOutcome[] = [];
    for (const place of places) {
      losses.push(...(await untilWorkedOff(service, key, place.id, maxSettleMs)));
      const ended = { received: await readReceived(place.dir), failed: await readFailed(place.address) };
      losses.push(...findDropLosses(place.address.name, ledger, ended));
      drops.push({
        ...{ name: place.address.name, erred: place.far.erred },
        ...{ received: ended.received.length, failed: ended.failed.length },
        states: await countStates(service, key, place.id),
      });
    }
    return { ledger, drops, slowestStartMs, losses };
  } finally {
    weather.clear();
    await service.stop();
    for (const { far } of places) await far.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What is no picture fails in the one and is sent on in the other; a keyword is written into every picture. */
function newDrop(name: string, { destination }: FarSide) {
  const keywords = { sources: ['classes'], min_confidence: { classes: 0 }, max_keywords: 3 };
  const otherFiles = name === 'http' ? 'fail' : 'deliver';
  return { name, settings: { parts: ['classes'], other_files: otherFiles, keywords }, destination };
}

export function countFates(ledger: Ledger): string {
  const count = (wanted: string) => [...ledger.values()].filter(({ fate }) => fate === wanted).length;
  return `${count('acknowledged')} uploads acknowledged, ${count('cut')} cut, ${count('unknown')} ended by a kill`;
}
