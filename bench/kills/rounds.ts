import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { makePerception } from '../face-index/make-perception.js';
import { createDeck } from '../load/deck.js';
import { readObject } from '../load/told.js';
import { createVisitor, type Visitor } from '../load/visitor.js';
import { isRunning, withDescendants } from '../processes.js';
import { runCommand, type Service, startService } from '../service.js';
import { acts, type FacesOnStage } from './acts.js';
import { findLosses } from './check.js';
import { findLostFaces } from './check-faces.js';
import { createLedger, type Ledger, type Payer } from './ledger.js';

/** One life of the service, from its start to its kill, and what the next life knew of it. */
export interface Round {
  readonly killed: 'everything' | 'the service alone';
  /** From the start of the next life until it was ready. */
  readonly restartMs: number;
  /** In words, each something that was promised and is not so. */
  readonly losses: readonly string[];
}

export interface Kills {
  readonly rounds: readonly Round[];
  readonly ledger: Ledger;
}

export interface KillOptions {
  readonly rounds: number;
  readonly clients: number;
  readonly tell: (line: string) => void;
}

const minLifeMs = 500;
const maxLifeMs = 3000;
/** Time for processes to go that lost their service. */
const goneWithinMs = 5000;
const maxRestartMs = 20_000;
const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/** Kills a service under load again and again, each time on the data of the last, and looks what is left. */
export async function killAgainAndAgain({ rounds: count, clients, tell }: KillOptions): Promise<Kills> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-kills-'));
  const settings = {
    LYNCEUS_DATA_DIR: join(dir, 'data'),
    LYNCEUS_SPOOL_DIR: join(dir, 'spool'),
    LYNCEUS_TRIAL_CALLS: '1000000',
    LYNCEUS_KEEP_PICTURES: 'true',
  };
  const start = () => startService(settings);
  const ledger = createLedger();
  const picture = await readFile(samplePath);
  const rounds: Round[] = [];
  let service = await start();
  try {
    // Only the first life hands out the first key.
    const keys = { unlimited: service.key, limited: await commandKey(settings, 'limited') };
    const faces = await setFaces(settings.LYNCEUS_DATA_DIR);
    for (let index = 0; index < count; index += 1) {
      // Once the service alone dies, as when the kernel needs its memory; else all at once, as when the power fails.
      const killed = index === 1 ? 'the service alone' : 'everything';
      const load = startActing(service, { keys, picture, faces, ledger }, clients);
      const command = commandKey(settings, `of round ${index}`);
      await Promise.all([sleep(minLifeMs + Math.random() * (maxLifeMs - minLifeMs)), command]);
      ledger.commandKeys.push(await command);
      const survivors = await kill(service, killed);
      await load.over();
      await service.stop();

      const startedAt = performance.now();
      service = await start();
      const restartMs = performance.now() - startedAt;
      const visitor = createVisitor(service.url);
      const losses = [
        ...survivors,
        ...(await leftInSpool(settings.LYNCEUS_SPOOL_DIR)),
        ...(restartMs <= maxRestartMs ? [] : [`the next start took ${Math.round(restartMs)} ms`]),
        ...(await findLosses(visitor, keys, ledger)),
        ...(await findLostFaces(visitor, keys.unlimited, settings.LYNCEUS_DATA_DIR, faces, ledger)),
      ];
      await visitor.close();
      rounds.push({ killed, restartMs, losses });
      tell(roundLine(index + 1, { killed, restartMs, losses }, ledger));
    }
    return { rounds, ledger };
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A perception of the first account, and pictures of faces that we drew, each with another look. */
async function setFaces(dataDir: string): Promise<FacesOnStage> {
  const storage = await openCommandStorage(dataFolder(dataDir));
  const { perceptionId } = await makePerception(storage.database);
  await storage.close();
  const looks = [-12, 0, 12].map((tiltDeg) => drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg }]));
  return { modelId: perceptionId, pictures: await Promise.all(looks) };
}

/** Clients who ask until their service is gone. */
function startActing(
  { url }: Service,
  stage: {
    readonly keys: Readonly<Record<Payer, string>>;
    readonly picture: Buffer;
    readonly faces: FacesOnStage;
    readonly ledger: Ledger;
  },
  clients: number,
) {
  let isOver = false;
  const act = async () => {
    const deal = createDeck(acts);
    const own = createVisitor(url);
    let isCut = false;
    const visitor: Visitor = {
      ...own,
      async ask(sent) {
        const answer = await own.ask(sent);
        isCut ||= answer.told.startsWith('failed');
        return answer;
      },
    };
    // Once its connection broke it asks no more: what is sent to nobody must not count as sent.
    while (!isOver && !isCut) await deal().perform({ ...stage, visitor });
    await own.close();
  };
  const all = Promise.all(Array.from({ length: clients }, act));
  return {
    over: async () => {
      isOver = true;
      await all;
    },
  };
}

/** Answers, in words, who of those below the service outlived it. */
async function kill({ pid }: Service, killed: Round['killed']): Promise<string[]> {
  const below = (await withDescendants(pid)).slice(1);
  for (const victim of killed === 'everything' ? [pid, ...below] : [pid]) process.kill(victim, 'SIGKILL');
  const deadline = performance.now() + goneWithinMs;
  const running = async () => {
    const states = await Promise.all(below.map(isRunning));
    return below.filter((_, index) => states[index]);
  };
  while (performance.now() < deadline && (await running()).length > 0) await sleep(50);
  return (await running()).map((survivor) => `process ${survivor} outlived the service`);
}

async function leftInSpool(spoolDir: string): Promise<string[]> {
  const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${name} was left in the spool`);
}

async function commandKey(settings: Readonly<Record<string, string>>, account: string): Promise<string> {
  const made = await runCommand(['keys', 'create', '--account', account, '--json'], settings);
  return String(readObject(made)['key']);
}

function roundLine(number: number, { killed, restartMs, losses }: Round, ledger: Ledger): string {
  const { unlimited, limited } = ledger.calls;
  return (
    `${String(number).padStart(3)}  killed ${killed}; ready again in ${(restartMs / 1000).toFixed(1)} s; calls answered ` +
    `${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, sent ` +
    `${unlimited.sent} + ${limited.sent}; ${ledger.keys.size + ledger.commandKeys.length} keys, ` +
    `${ledger.files.size} files, ${ledger.faces.images.size} face images; ${losses.length === 0 ? 'nothing lost' : `LOST: ${losses.join('; ')}`}`
  );
}
