import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, startCluster } from '../../postgres/cluster.js';
import { formatTable } from '../../table.js';
import { simulateCounting, type Workload } from './hot-row.js';
import { type Inputs, replicaCallsPerSecond, server } from './inputs.js';
import { demandsOf, growthOf } from './limits.js';
import { callers, measureInputs } from './measure-inputs.js';

/** Measures what the model rests on, holds the simulation against what two replicas do here, and says what breaks first. */
export async function runScaleModel({ seconds }: { readonly seconds: number }): Promise<void> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-scale-model-'));
  const cluster = await startCluster(programs, { isDurable: true });
  try {
    const { inputs, callsPerSecond } = await measureInputs(cluster.url, dir, seconds);
    console.log(`inputs: ${JSON.stringify(inputs, null, 2)}\n`);
    console.log(`${checkTable(inputs, callsPerSecond)}\n`);
    console.log(`${countingTable(inputs)}\n`);
    console.log(`${limitTable(inputs)}\n`);
    console.log(growthTable(inputs));
  } finally {
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

const simulate = (inputs: Inputs, workload: Partial<Workload> & { readonly replicas: number }) =>
  simulateCounting(inputs, {
    accounts: 1,
    callersPerReplica: callers,
    thinkMs: 0,
    cores: server.cores,
    ...workload,
  });

/** The simulation against the machine that its inputs are from: with both replicas and the database on its cores, it is to be above. */
function checkTable(inputs: Inputs, measured: readonly [number, number]): string {
  const rows = [['one account, counting alone', 'measured calls/s', 'simulated calls/s']];
  for (const [at, replicas] of [1, 2].entries()) {
    const { callsPerSecond } = simulate(inputs, { replicas });
    rows.push([
      `${replicas} replica${at === 0 ? '' : 's'}`,
      measured[at]?.toFixed(0) ?? '',
      callsPerSecond.toFixed(0),
    ]);
  }
  return formatTable(rows);
}

/** Recognition between the calls: each replica has as many under way as it can work on and let wait. */
function countingTable(inputs: Inputs): string {
  const rows = [
    ['replicas', 'accounts', 'calls/s', 'of those offered', 'median ms', 'p99 ms', 'calls a commit'],
  ];
  for (const replicas of [1, 10, 100, 1000]) {
    for (const accounts of [1, replicas]) {
      if (replicas === 1 && accounts === 1 && rows.length > 1) continue;
      const underWay = 16;
      const thinkMs = (underWay * 1000) / replicaCallsPerSecond;
      const outcome = simulate(inputs, { replicas, accounts, callersPerReplica: underWay, thinkMs });
      rows.push([
        String(replicas),
        String(accounts),
        outcome.callsPerSecond.toFixed(0),
        (outcome.callsPerSecond / (replicas * replicaCallsPerSecond)).toFixed(2),
        outcome.medianMs.toFixed(1),
        outcome.p99Ms.toFixed(1),
        outcome.batchCalls.toFixed(1),
      ]);
    }
  }
  return formatTable(rows);
}

function limitTable(inputs: Inputs): string {
  const rows = [['replicas', 'resource', 'demand', 'of the server']];
  for (const replicas of [10, 100, 1000]) {
    for (const { resource, demand, share } of demandsOf(inputs, replicas)) {
      rows.push([String(replicas), resource, demand, `${(100 * share).toFixed(0)} %`]);
    }
  }
  return formatTable(rows);
}

function growthTable(inputs: Inputs): string {
  const rows = [['rows', 'on disk', 'indexes of it']];
  for (const { what, rows: count, bytes, indexBytes } of growthOf(inputs)) {
    rows.push([
      `${count.toExponential(0)} ${what}`,
      `${(bytes / 1e9).toFixed(0)} GB`,
      indexBytes === 0 ? '' : `${(indexBytes / 1e9).toFixed(0)} GB`,
    ]);
  }
  return formatTable(rows);
}
