import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { createLedger, type Ledger, type Payer } from '../crash/ledger.js';
import { operationsOf } from '../crash/operations.js';
import { startOperations } from '../crash/run-operations.js';
import { makePerception } from '../face-index/make-perception.js';
import { api } from '../load/api-kinds.js';
import { readObject } from '../load/outcome.js';
import { createVisitor } from '../load/visitor.js';
import { isRunning } from '../processes.js';
import { runCommand } from '../service.js';
import { checkInstallation } from './check.js';
import type { Fault } from './faults.js';
import { firstKey, type Installation, replicaNames, startInstallation } from './installation.js';

export interface ChaosRound {
  readonly fault: string;
  /** Descriptions of broken guarantees. */
  readonly findings: readonly string[];
}

export interface ChaosRun {
  readonly rounds: readonly ChaosRound[];
  readonly ledger: Ledger;
}

export interface ChaosOptions {
  /** One after the other, and from the first again. */
  readonly faults: readonly Fault[];
  readonly rounds: number;
  /** Of each replica. */
  readonly clients: number;
  /** How long a fault lasts that lasts. */
  readonly seconds: number;
  readonly log: (line: string) => void;
}

/** Faces searched for through each replica after a round. */
const searches = 40;
/** Under load before a fault at most, and after it. */
const maxBeforeMs = 3000;
const afterMs = 3000;
const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/** Lets one fault after the other befall two replicas under load, and compares what is there with what was acknowledged. */
export async function disturb(options: ChaosOptions): Promise<ChaosRun> {
  const { rounds: count, clients, seconds, log } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-chaos-'));
  const ledger = createLedger();
  const rounds: ChaosRound[] = [];
  const installation = await startInstallation(dir);
  const { settings, replicas } = installation;
  try {
    const keys: Record<Payer, string> = { unlimited: firstKey, limited: await makeLimitedKey(settings) };
    const modelId = await makeModel(installation);
    const image = await readFile(samplePath);
    for (let index = 0; index < count; index += 1) {
      const fault = options.faults[index % options.faults.length];
      if (fault === undefined) throw new Error('there are no faults');
      const loads = replicaNames.map((name) =>
        startOperations(
          replicas[name],
          { keys, image, modelId, ledger },
          { clients, operations: operationsOf(undefined) },
        ),
      );
      await sleep(Math.random() * maxBeforeMs);
      const findings = [...(await strikeAndWatch(installation, fault, seconds))];
      await sleep(afterMs);
      await Promise.all(loads.map((load) => load.over()));
      findings.push(...(await checkInstallation(installation, keys, { modelId, ledger, searches })));
      rounds.push({ fault: fault.name, findings });
      log(roundLine(index + 1, { fault: fault.name, findings }, ledger));
    }
    return { rounds, ledger };
  } finally {
    await installation.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A replica that the fault does not befall answers meanwhile; and no process ends but those that are killed. */
async function strikeAndWatch(
  installation: Installation,
  fault: Fault,
  seconds: number,
): Promise<readonly string[]> {
  const { replicas } = installation;
  const livesBefore = replicaNames.map((name) => replicas[name].service().pid);
  const other = replicaNames.find((name) => fault.only !== undefined && name !== fault.only);
  const work = fault.strike(installation, seconds);
  const answered = other === undefined ? 1 : await countAnswers(replicas[other].url, work);
  const findings = [...(await work)];
  if (answered === 0) findings.push(`replica ${other} gave no answer while ${fault.name}`);
  for (const [index, name] of replicaNames.entries()) {
    const pid = livesBefore[index] ?? 0;
    const mayEnd = fault.kills && name === fault.only;
    if (!mayEnd && !(await isRunning(pid))) findings.push(`replica ${name} ended when ${fault.name}`);
  }
  return findings;
}

async function countAnswers(url: string, work: Promise<unknown>): Promise<number> {
  const visitor = createVisitor(url);
  let [answered, isOver] = [0, false];
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    const { outcome } = await visitor.ask(api(firstKey, 'GET', '/api/account'));
    if (outcome === '200') answered += 1;
    await sleep(200);
  }
  await visitor.close();
  return answered;
}

/** A perception of the first account. */
async function makeModel({ databaseUrl, settings }: Installation): Promise<number> {
  const storage = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  try {
    return (await makePerception(storage.database)).perceptionId;
  } finally {
    await storage.close();
  }
}

async function makeLimitedKey(settings: Readonly<Record<string, string>>): Promise<string> {
  const made = await runCommand(['keys', 'create', '--account', 'limited', '--json'], settings);
  return String(readObject(made)['key']);
}

function roundLine(number: number, { fault, findings }: ChaosRound, ledger: Ledger): string {
  const { unlimited, limited } = ledger.calls;
  return (
    `${String(number).padStart(3)}  ${fault}: calls answered ${unlimited.answered} + ${limited.answered}, counted ` +
    `${unlimited.counted} + ${limited.counted}, sent ${unlimited.sent} + ${limited.sent}; ${ledger.keys.size} keys, ` +
    `${ledger.files.size} files, ${ledger.faces.images.size} face images, ${ledger.faces.changed} of them changed; ` +
    `${findings.length === 0 ? 'nothing lost' : `FOUND: ${findings.join('; ')}`}`
  );
}
