import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { createLedger, type Ledger } from '../crash/ledger.js';
import { api } from '../load/api-kinds.js';
import { createVisitor } from '../load/visitor.js';
import { isRunning } from '../processes.js';
import { prepareCallWork } from './call-work.js';
import { prepareCustomWork } from './custom-work.js';
import { prepareDropWork } from './drop-work.js';
import type { Fault } from './faults.js';
import { firstKey, type Installation, replicaNames, startInstallation } from './installation.js';
import { sweepEverything } from './sweep-everything.js';
import type { Work, WorkCheck } from './work.js';

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
  /** Under load before a fault at most, and after it. */
  readonly underLoadMs: number;
  /** Without datasets, models, training runs and drops. */
  readonly areCallsAll?: boolean;
  readonly log: (line: string) => void;
}

/** For jobs after the last round, on a busy machine: otherwise they take some ten seconds. */
const endsWithinMs = 600_000;

/** Lets one fault after the other befall two replicas under load, and compares what is there with what was acknowledged. */
export async function disturb(options: ChaosOptions): Promise<ChaosRun> {
  const { rounds: count, clients, seconds, underLoadMs, log } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-chaos-'));
  const ledger = createLedger();
  const rounds: ChaosRound[] = [];
  const works: Work[] = [];
  const installation = await startInstallation(dir);
  try {
    works.push(await prepareCallWork(installation, { clients, ledger }));
    if (!options.areCallsAll) {
      works.push(
        await prepareCustomWork(installation),
        await prepareDropWork(installation, join(dir, 'remote')),
      );
    }
    const record = (fault: string, findings: readonly string[]) => {
      rounds.push({ fault, findings });
      log(roundLine(rounds.length, { fault, findings }, works));
    };
    for (let index = 0; index < count; index += 1) {
      const fault = options.faults[index % options.faults.length];
      if (fault === undefined) throw new Error('there are no faults');
      const loads = works.map((work) => work.start(index));
      await sleep(Math.random() * underLoadMs);
      const findings = [...(await strikeAndWatch(installation, fault, seconds))];
      await sleep(underLoadMs);
      await Promise.all(loads.map((load) => load.over()));
      const reader = index % 2 === 0 ? 'one' : 'two';
      const waitMs = index === count - 1 ? endsWithinMs : 0;
      findings.push(...(await checkWorks(installation, works, { reader, waitMs })));
      record(fault.name, findings);
    }
    if (installation.databaseClock !== null && !options.areCallsAll) {
      const { findings, removed } = await sweepEverything(installation);
      findings.push(...(await checkWorks(installation, works, { reader: 'one', waitMs: 0 })));
      record(`a sweep of ${removed} objects without a row`, findings);
    }
    return { rounds, ledger };
  } finally {
    for (const work of works) await work.close();
    await installation.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function checkWorks(
  { databaseUrl, settings }: Installation,
  works: readonly Work[],
  asked: Omit<WorkCheck, 'storage'>,
): Promise<readonly string[]> {
  const storage = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  try {
    const found: string[] = [];
    for (const work of works) found.push(...(await work.check({ ...asked, storage })));
    return found;
  } finally {
    await storage.close();
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

function roundLine(number: number, { fault, findings }: ChaosRound, works: readonly Work[]): string {
  const done = works.map((work) => work.describe()).join('; ');
  return `${String(number).padStart(3)}  ${fault}: ${done}; ${findings.length === 0 ? 'nothing lost' : `FOUND: ${findings.join('; ')}`}`;
}
