import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCallWork } from '../crash/call-work.js';
import { prepareCustomWork } from '../crash/custom/custom-work.js';
import { createLedger, type Ledger } from '../crash/ledger.js';
import { prepareDropWork } from '../drop-crash/drop-work.js';
import { createFaultSchedule } from '../drop-crash/fault-schedule.js';
import { between } from '../kill/chance.js';
import { playRounds, type Round } from '../kill/rounds.js';
import { makeKey, type Site } from '../kill/site.js';
import type { Work, WorkCheck } from '../kill/work.js';
import { api } from '../load/api-kinds.js';
import { createVisitor } from '../load/visitor.js';
import { isRunning } from '../processes.js';
import { siteOfReplicas } from './check.js';
import type { Fault } from './faults.js';
import { firstKey, type Installation, replicaNames, startInstallation } from './installation.js';
import { sweepEverything } from './sweep-everything.js';

export interface ChaosRound extends Round {
  readonly fault: string;
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
  /** Images of faces that are searched for through each replica after a round. */
  readonly searches: number;
  /** Without datasets, models, training runs and drops. */
  readonly areCallsAll?: boolean;
  readonly log: (line: string) => void;
}

/** Of each drop. */
const uploadClients = 1;

/** Lets one fault after the other befall two replicas under load, and compares what is there with what was acknowledged. */
export async function disturb(options: ChaosOptions): Promise<ChaosRun> {
  const { clients, searches, seconds, underLoadMs, log, areCallsAll = false } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-chaos-'));
  const ledger = createLedger();
  const works: Work[] = [];
  const installation = await startInstallation(dir, areCallsAll ? 'faces' : 'faces,classes');
  try {
    const site = siteOfReplicas(installation, firstKey);
    const asked = { ledger, clients, searches, lastSearches: searches, hasCommand: false };
    works.push(await prepareCallWork(site, asked));
    if (!areCallsAll) {
      works.push(await prepareCustomWork(site, true), await prepareUploads(site, join(dir, 'remote')));
    }
    const report = (fault: string, findings: readonly string[]) => {
      const line = `${fault}: ${works.map((work) => work.describe()).join('; ')}`;
      return { fault, findings, line };
    };
    const strikes = await playRounds(options.rounds, log, async (index, isLast) => {
      const fault = options.faults[index % options.faults.length];
      if (fault === undefined) throw new Error('there are no faults');
      const loads = works.map((work) => work.start(index));
      await sleep(between(0, underLoadMs));
      const found = await strikeAndWatch(installation, fault, seconds);
      await sleep(underLoadMs);
      await Promise.all(loads.map((load) => load.over()));
      return report(fault.name, [...found, ...(await checkWorks(works, { round: index, isLast }))]);
    });
    if (installation.databaseClock === null || areCallsAll) return { rounds: strikes, ledger };
    const sweeps = await playRounds(1, log, async () => {
      const { findings, removed } = await sweepEverything(installation);
      const lost = await checkWorks(works, { round: 0, isLast: false });
      return report(`a sweep of ${removed} objects without a row`, [...findings, ...lost]);
    });
    return { rounds: [...strikes, ...sweeps], ledger };
  } finally {
    for (const work of works) await work.close();
    await installation.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function checkWorks(works: readonly Work[], asked: WorkCheck): Promise<readonly string[]> {
  const found: string[] = [];
  for (const work of works) found.push(...(await work.check(asked)));
  return found;
}

/** The installation is disturbed, and what it delivers to is not. */
async function prepareUploads(site: Site, dir: string): Promise<Work> {
  const faultSchedule = createFaultSchedule(1000, 1000);
  faultSchedule.clear();
  const key = await makeKey(site, 'drops');
  const given = { dir, key, faultSchedule, clients: uploadClients, protocol: 'ftp' } as const;
  return prepareDropWork(site, { ...given, ledger: new Map() });
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
