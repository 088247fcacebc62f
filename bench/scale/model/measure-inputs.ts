import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createAccounts } from '#server/accounts/accounts.js';
import { type CallEntry, createMergeCalls } from '#server/accounts/merge-calls.js';
import { createGalleryRows } from '#server/faces/index/fixtures/gallery-rows.js';
import { createFileId } from '#server/recognition/record.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage, type Storage } from '#server/storage/open-storage.js';
import { query } from '../../scale-counting/counts.js';
import { makeKeys } from '../../scale-counting/make-keys.js';
import { runReplica } from '../../scale-counting/run-replica.js';
import { sampleRecord, sampleSummary } from '../../scale-counting/sample-record.js';
import { startService } from '../../service.js';
import { databaseCpuMs } from '../postmaster.js';
import type { Inputs } from './inputs.js';

/** Callers of a replica in the measurements, and in the simulation that is held against them. */
export const callers = 64;
const faces = 20_000;
const dimensions = 512;
const day = '2026-01-01';

export interface Measured {
  readonly inputs: Inputs;
  /** Calls a second of one account, on one replica and on two, to hold the simulation against. */
  readonly callsPerSecond: readonly [one: number, two: number];
}

/** @param urlOf the address of a database of that name on a durable server, which is made here */
export async function measureInputs(
  urlOf: (database: string) => string,
  dir: string,
  seconds: number,
): Promise<Measured> {
  const make = async (name: string) => {
    await query(urlOf('postgres'), `create database ${name}`);
    return urlOf(name);
  };
  const one = await count(await make('one'), join(dir, 'one'), 1, seconds);
  const two = await count(await make('two'), join(dir, 'two'), 2, seconds);
  const batches = await timeBatches(await make('batches'), join(dir, 'batches'));
  const idle = await measureIdle(await make('idle'), seconds);
  const faceBytes = await measureFaces(await make('faces'), join(dir, 'faces'));
  const { callsPerSecond, ...counted } = one;
  return {
    inputs: {
      ...counted,
      ...batches,
      idle,
      faceBytes,
      notificationCpuMs: await measureNotify(urlOf('idle')),
    },
    callsPerSecond: [callsPerSecond, two.callsPerSecond],
  };
}

async function count(databaseUrl: string, dir: string, replicas: number, seconds: number) {
  const [keys = []] = await makeKeys({ databaseUrl, dir: join(dir, 'maker') }, [
    { account: 'one', callLimit: 100_000_000, keys: 1 },
  ]);
  const order = { databaseUrl, keys, callers, seconds, way: 'merged', isAcknowledging: false } as const;
  const position = async () =>
    Number((await query(databaseUrl, "select pg_current_wal_lsn() - '0/0' as v")).rows[0]?.['v']);
  const before = await position();
  let calls = 0;
  let callsPerSecond = 0;
  let replicaCpuMs = 0;
  const cpuMs = await databaseCpuMs(databaseUrl, async () => {
    const runs = Array.from({ length: replicas }, (_, at) =>
      runReplica({ ...order, dir: join(dir, `${at}`) }),
    );
    for (const report of await Promise.all(runs.map(({ ended }) => ended))) {
      if (report === null) throw new Error('a replica ended early');
      calls += report.calls;
      callsPerSecond += report.calls / report.seconds;
      replicaCpuMs = report.cpuMs;
    }
  });
  const written = (await position()) - before;
  await query(databaseUrl, 'vacuum analyze analysis');
  const sizes = await query(
    databaseUrl,
    `select pg_table_size('analysis') as table, pg_indexes_size('analysis') as indexes, (select count(*) from analysis) as rows`,
  );
  const size = (name: string) => Number(sizes.rows[0]?.[name]);
  return {
    callsPerSecond,
    replicaCpuMs,
    databaseCpuMs: cpuMs / calls,
    logBytes: written / calls,
    analysisBytes: (size('table') + size('indexes')) / size('rows'),
    analysisIndexBytes: size('indexes') / size('rows'),
  };
}

/** The straight line through the times of small and large batches. */
async function timeBatches(databaseUrl: string, dir: string) {
  const [[key = ''] = []] = await makeKeys({ databaseUrl, dir: join(dir, 'maker') }, [
    { account: 'one', callLimit: 100_000_000, keys: 1 },
  ]);
  return withStorage(databaseUrl, dir, async ({ database }) => {
    const accounts = createAccounts({ database, clock: database.clock, trialCalls: 10, resultDays: 30 });
    const caller = await accounts.authenticate(key);
    if (!caller) throw new Error('the key was refused');
    const merge = createMergeCalls(database);
    const entry = (): CallEntry => ({
      call: { accountId: caller.accountId, keyId: caller.keyId, operation: 'v2.predict', day },
      isCounting: true,
      analysis: {
        fileid: createFileId(caller.accountId),
        account_id: caller.accountId,
        key_id: caller.keyId,
        operation: 'v2.predict',
        created_at: database.clock(),
        expires_at: database.clock() + 86_400_000,
        record: JSON.stringify(sampleRecord),
        summary: sampleSummary,
        search_text: sampleSummary.toLowerCase(),
        image_bytes: null,
        image_kind: null,
      },
    });
    const timeMs = async (calls: number) => {
      const times: number[] = [];
      for (let round = 0; round < 60; round += 1) {
        const statement = merge(Array.from({ length: calls }, entry));
        const startedAt = performance.now();
        await database.write([statement], { units: calls });
        times.push(performance.now() - startedAt);
      }
      return times.toSorted((a, b) => a - b)[30] ?? Number.NaN;
    };
    await timeMs(8);
    const [small, large] = [await timeMs(1), await timeMs(201)];
    const callMs = (large - small) / 200;
    return { callMs, batchMs: small - callMs };
  });
}

async function measureIdle(databaseUrl: string, seconds: number) {
  const service = await startService({
    LYNCEUS_DATABASE_URL: databaseUrl,
    LYNCEUS_JOIN_INSTALLATION: 'true',
    LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_RECOGNITION_PARTS: 'faces',
  });
  try {
    const asked =
      'select xact_commit + xact_rollback as v, numbackends as connections from pg_stat_database where datname = current_database()';
    const read = async () => (await query(databaseUrl, asked)).rows[0];
    // What belongs to the start is over, and the server's counts have come.
    await sleep(10_000);
    const before = await read();
    const waitMs = Math.max(20, 2 * seconds) * 1000;
    const cpuMs = await databaseCpuMs(databaseUrl, () => sleep(waitMs));
    const after = await read();
    return {
      // Our own is one of them.
      connections: Number(after?.['connections']) - 1,
      transactionsPerSecond: (Number(after?.['v']) - Number(before?.['v'])) / (waitMs / 1000),
      databaseCpuMs: cpuMs / (waitMs / 1000),
    };
  } finally {
    await service.stop();
  }
}

async function measureFaces(databaseUrl: string, dir: string): Promise<number> {
  return withStorage(databaseUrl, dir, async ({ database }) => {
    const gallery = { accountId: 1, perceptionId: 1, embedder: 'of the measurement' };
    const random = () => Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
    await createGalleryRows(database).commit(
      gallery,
      Array.from({ length: faces }, (_, id) => ({
        imageId: id + 1,
        personId: Math.floor(id / 10) + 1,
        vector: random(),
      })),
    );
    await query(databaseUrl, 'vacuum analyze');
    const { rows } = await query(
      databaseUrl,
      "select sum(pg_total_relation_size(oid)) as v from pg_class where relname in ('face_image', 'face_embedding', 'person')",
    );
    return Number(rows[0]?.['v']) / faces;
  });
}

/** CPU of the server for one notification to one that listens. */
async function measureNotify(databaseUrl: string): Promise<number> {
  const listeners = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const client = new Client(databaseUrl);
      await client.connect();
      await client.query('listen scale_model');
      return client;
    }),
  );
  const sender = new Client(databaseUrl);
  await sender.connect();
  const times = 2000;
  const send = async (statement: string) => {
    for (let at = 0; at < times; at += 1) await sender.query(statement, []);
  };
  try {
    const without = await databaseCpuMs(databaseUrl, () => send("select pg_notify('nobody_listens', '')"));
    const withThem = await databaseCpuMs(databaseUrl, () => send("select pg_notify('scale_model', '')"));
    return Math.max(0, withThem - without) / times / listeners.length;
  } finally {
    await Promise.all([sender, ...listeners].map((client) => client.end()));
  }
}

async function withStorage<T>(
  databaseUrl: string,
  dir: string,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openServiceStorage(dataFolder(dir), { databaseUrl, joinInstallation: true });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
