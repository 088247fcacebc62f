import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createAccounts } from '#server/accounts/accounts.js';
import { ServiceError } from '#server/core/service-error.js';
import { createFileId, createRecorder } from '#server/recognition/record.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage } from '#server/storage/open-storage.js';
import { StorageError } from '#server/storage/storage-error.js';
import type { ReplicaOrder, ReplicaReport } from './order.js';
import { sampleRecord, sampleSummary } from './sample-record.js';

/** A process that counts calls and records their analyses as the service does. The order is its argument; see `run-replica.ts`. */
const order = JSON.parse(process.argv[2] ?? '') as ReplicaOrder;
const storage = await openServiceStorage(dataFolder(order.dir), {
  databaseUrl: order.databaseUrl,
  joinInstallation: true,
});
const database = order.way === 'merged' ? storage.database : { ...storage.database, groupsCommits: true };
const accounts = createAccounts({ database, clock: database.clock, trialCalls: 10, resultDays: 30 });
const recordAnalysis = createRecorder(database);
const operation = 'v2.predict';

async function call(caller: Caller): Promise<string> {
  const reservation = await accounts.reserveCall(caller, operation);
  try {
    const fileid = createFileId(caller.accountId);
    const statements = recordAnalysis(reservation, {
      fileid,
      nowMs: database.clock(),
      record: sampleRecord,
      summary: sampleSummary,
      image: null,
    });
    await accounts.settle(reservation, statements);
    return fileid;
  } catch (error) {
    await accounts.giveBack(reservation);
    throw error;
  }
}

async function readCaller(key: string): Promise<Caller> {
  const caller = await accounts.authenticate(key);
  if (!caller) throw new Error('a key of the order was refused');
  return caller;
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const isOver = () => order.seconds !== null && performance.now() - startedAt > order.seconds * 1000;
const timesMs: number[] = [];

async function callRepeatedly(caller: Caller): Promise<void> {
  while (!isOver()) {
    const askedAt = performance.now();
    try {
      const fileid = await call(caller);
      timesMs.push(performance.now() - askedAt);
      if (order.isAcknowledging) process.stdout.write(`${fileid}\n`);
    } catch (error) {
      // Its account has no call left.
      if (error instanceof ServiceError) return;
      if (!(error instanceof StorageError)) throw error;
      // The server is away for a while.
      await sleep(20);
    }
  }
}

const callers = await Promise.all(order.keys.map(readCaller));
await Promise.all(
  Array.from({ length: order.callers }, (_, index) => {
    const caller = callers[index % callers.length];
    if (!caller) throw new Error('no key is in the order');
    return callRepeatedly(caller);
  }),
);
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
timesMs.sort((a, b) => a - b);
const quantileMs = (part: number) => timesMs[Math.floor(part * timesMs.length)] ?? Number.NaN;
const report: ReplicaReport = {
  calls: timesMs.length,
  seconds,
  medianMs: quantileMs(0.5),
  p95Ms: quantileMs(0.95),
  cpuMs: (user + system) / 1000 / timesMs.length,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
await storage.close();
