import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { findMissing, query, readCounts } from '#bench/scale-counting/counts.js';
import { makeKeys } from '#bench/scale-counting/make-keys.js';
import { type Replica, runReplica } from '#bench/scale-counting/run-replica.js';

const programs = findPostgres();
if (programs === null) console.warn('skipped: PostgreSQL is not installed');
const canRun = programs !== null || process.env['CI'] === 'true';
const rounds = 2;
const callersOfReplica = 24;

describe.skipIf(!canRun)(
  'calls that are counted while replicas and the database are killed',
  { timeout: 300_000 },
  () => {
    let cluster: Cluster;
    let dir: string;
    let databaseUrl: string;
    const replicas: Replica[] = [];
    beforeAll(async () => {
      if (programs === null) throw new Error('PostgreSQL is not installed.');
      dir = await mkdtemp(join(tmpdir(), 'lynceus-counting-crash-'));
      cluster = await startCluster(programs);
      await query(cluster.url('postgres'), 'create database counting');
      databaseUrl = cluster.url('counting');
    });
    afterEach(async () => {
      const started = replicas.splice(0);
      for (const replica of started) replica.kill();
      await Promise.all(started.map(({ ended }) => ended));
    });
    afterAll(async () => {
      await cluster.remove();
      await rm(dir, { recursive: true, force: true });
    });

    const start = (name: string, keys: readonly string[]): Replica => {
      const replica = runReplica({
        databaseUrl,
        dir: join(dir, new URL(databaseUrl).pathname, name),
        keys,
        callers: callersOfReplica,
        seconds: null,
        way: 'merged',
        isAcknowledging: true,
      });
      replicas.push(replica);
      return replica;
    };
    const acknowledge = async (replica: Replica, more: number) => {
      const wanted = replica.acknowledged.length + more;
      await expect.poll(() => replica.acknowledged.length).toBeGreaterThanOrEqual(wanted);
    };

    test('each have their row, and are counted once and never above a limit', async () => {
      const name = `counting_${randomBytes(6).toString('hex')}`;
      await query(cluster.url('postgres'), `create database ${name}`);
      databaseUrl = cluster.url(name);
      const made = await makeKeys({ databaseUrl, dir: join(dir, name, 'maker') }, [
        { account: 'unlimited', callLimit: null, keys: 2 },
        { account: 'limited later', callLimit: null, keys: 2 },
        { account: 'limited', callLimit: 1500, keys: 2 },
      ]);
      const keys = made.flat();
      let killed = start('killed', keys);
      const living = start('living', keys);
      let limit = 0;
      for (let round = 0; round < rounds; round += 1) {
        await acknowledge(killed, 500);
        killed.kill();
        await killed.ended;
        await acknowledge(living, 500);
        killed = start('killed', keys);
        await acknowledge(killed, 200);
        await cluster.stop('immediate');
        await cluster.start();
        await Promise.all([acknowledge(killed, 300), acknowledge(living, 300)]);
        // Before the next replica starts, which would know the limit.
        if (round === 0) limit = await reachLimit('limited later');
      }
      for (const replica of [killed, living]) replica.kill();
      await Promise.all(replicas.map(({ ended }) => ended));
      // What was sent to the server before a kill may still be on its way.
      await expect.poll(countOthersUnderWay).toBe(0);

      const acknowledged = replicas.flatMap((replica) => replica.acknowledged);
      expect(await findMissing(databaseUrl, acknowledged)).toEqual([]);
      const counts = new Map((await readCounts(databaseUrl)).map((each) => [each.account, each]));
      const [unlimited, later, limited] = ['unlimited', 'limited later', 'limited'].map((name) =>
        counts.get(name),
      );
      for (const each of [unlimited, later]) {
        const rows = each?.rows;
        expect(each).toMatchObject({ usage: rows, used: rows, usedByKeys: rows });
      }
      expect(later?.used).toBe(limit);
      // Counted before it is made: a call that a kill cut short stays counted.
      const used = limited?.used ?? 0;
      expect(limited).toMatchObject({ usage: used, usedByKeys: used });
      expect(used).toBeLessThanOrEqual(1500);
      expect(limited?.rows).toBeLessThanOrEqual(used);
      expect(used - (limited?.rows ?? 0)).toBeLessThanOrEqual(callersOfReplica * (2 * rounds + 2));
    });

    /** Sets a limit, for replicas that began when there was none, and waits until it is reached; answers the limit. */
    const reachLimit = async (account: string): Promise<number> => {
      const { rows } = await query(
        databaseUrl,
        'update account set call_limit = calls_used + 50 where name = $1 returning call_limit',
        [account],
      );
      const limit = Number(rows[0]?.['call_limit']);
      const readUsed = async () =>
        (await readCounts(databaseUrl)).find((each) => each.account === account)?.used;
      await expect.poll(readUsed).toBe(limit);
      return limit;
    };
    const countOthersUnderWay = async (): Promise<number> => {
      const { rows } = await query(
        databaseUrl,
        `select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      return Number(rows[0]?.['n']);
    };
  },
);
