import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, startCluster } from '../postgres/cluster.js';
import { formatTable } from '../table.js';
import { query, readCounts } from './counts.js';
import { makeKeys } from './make-keys.js';
import type { ReplicaOrder, ReplicaReport } from './order.js';
import { runReplica } from './run-replica.js';

const callers = 64;
const designs: readonly (readonly [name: string, way: ReplicaOrder['way']])[] = [
  ['a unit for each call', 'single'],
  ['one statement for what has gathered', 'merged'],
];

/** Calls a second that one account makes on PostgreSQL, on one replica and over two, without inference. */
export async function runScaleCounting(options: {
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-scale-counting-'));
  const cluster = await startCluster(programs, { isDurable: true });
  try {
    const table = [['DESIGN', 'LIMIT', 'REPLICAS', 'CALLS/S', 'MEDIAN MS', 'P95 MS']];
    for (let round = 0; round < options.rounds; round += 1) {
      for (const callLimit of [null, 100_000_000]) {
        for (const replicas of [1, 2]) {
          for (const [name, way] of designs) {
            const database = `round_${round}_${way}_${replicas}_${callLimit ?? 'none'}`;
            await query(cluster.url('postgres'), `create database ${database}`);
            const measured = await measure({
              databaseUrl: cluster.url(database),
              dir: join(dir, database),
              replicas,
              way,
              callLimit,
              seconds: options.seconds,
            });
            table.push([name, callLimit === null ? 'none' : 'counted first', String(replicas), ...measured]);
            console.log(`${table.at(-1)?.join(', ')}`);
          }
        }
      }
    }
    console.log(formatTable(table));
  } finally {
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(run: {
  readonly databaseUrl: string;
  readonly dir: string;
  readonly replicas: number;
  readonly way: ReplicaOrder['way'];
  readonly callLimit: number | null;
  readonly seconds: number;
}): Promise<readonly string[]> {
  const { databaseUrl, dir, replicas, way, callLimit, seconds } = run;
  const keys = await makeKeys({ databaseUrl, dir: join(dir, 'maker') }, [
    { account: 'one', callLimit, keys: 1 },
  ]);
  const order = { databaseUrl, keys: keys[0] ?? [], callers, seconds, way, isAcknowledging: false };
  const reports = await Promise.all(
    Array.from({ length: replicas }, (_, at) => runReplica({ ...order, dir: join(dir, `${at}`) }).ended),
  );
  const done = reports.filter((report): report is ReplicaReport => report !== null);
  const calls = done.reduce((sum, report) => sum + report.calls, 0);
  const [counts] = await readCounts(databaseUrl);
  for (const value of [counts?.rows, counts?.usage, counts?.used, counts?.usedByKeys]) {
    if (value !== calls) throw new Error(`${calls} calls were acknowledged: ${JSON.stringify(counts)}`);
  }
  const perSecond = done.reduce((sum, report) => sum + report.calls / report.seconds, 0);
  const worst = (of: (report: ReplicaReport) => number) => Math.max(...done.map(of)).toFixed(1);
  return [perSecond.toFixed(0), worst(({ medianMs }) => medianMs), worst(({ p95Ms }) => p95Ms)];
}
