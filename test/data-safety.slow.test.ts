import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Databases, postgresDatabases, sqliteDatabases } from '#bench/data-safety/databases.js';
import { runMatrix } from '#bench/data-safety/matrix.js';
import type { DataFault } from '#bench/data-safety/rows.js';
import { formatResults } from '#bench/data-safety/run.js';
import { startServiceHere } from '#bench/in-this-process.js';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { haveDefaultModels } from './support/default-models.js';

const programs = findPostgres();
const haveModels = await haveDefaultModels();
const timeout = 1_800_000;
/** What happens to the files of these is the same on both databases: `npm run bench -- data-safety` does them on PostgreSQL too. */
const alikeOnBoth = [
  'a restart',
  'an archive is restored on an empty machine',
  'an older copy of the folder is unpacked over it',
  'the database is gone',
  // Both are refused by the ids of folder and database, which pair.db.slow.test.ts compares on PostgreSQL too.
  'the database of another installation',
  'two folders swapped',
];

describe.skipIf(!haveModels)('the data-safety matrix', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-data-safety-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const deletesNothing = async (databases: Databases, leftOut: readonly string[] = []) => {
    // A second attempt finds nothing of the first.
    const own = await mkdtemp(join(dir, databases.kind));
    const isWanted = ({ name }: DataFault) => !leftOut.includes(name);
    const results = await runMatrix(own, databases, startServiceHere, isWanted);
    console.log(formatResults(results));
    for (const row of results) {
      expect(row).toMatchObject({ deleted: [], created: [], rowsWithoutFile: 0 });
      expect([row.dataFault, ...row.outcomes]).toEqual([
        row.dataFault,
        ...row.outcomes.map(() => row.expected),
      ]);
      expect([row.dataFault, row.filesAfter]).toEqual([row.dataFault, row.filesBefore]);
      // That there was something to delete.
      expect(row.filesBefore).toBeGreaterThan(10);
      for (const refusal of row.refusals.filter((text) => text !== ''))
        expect(refusal).toMatch(/To continue:\n- /);
    }
  };

  test('deletes nothing in any row on SQLite', { timeout }, () => deletesNothing(sqliteDatabases(dir)));

  describe.skipIf(programs === null && process.env['CI'] !== 'true')('over a server', () => {
    let cluster: Cluster;
    beforeAll(async () => {
      if (programs === null) throw new Error('PostgreSQL is not installed.');
      cluster = await startCluster(programs);
    });
    afterAll(() => cluster.remove());

    test('deletes nothing in the rows that differ on PostgreSQL', { timeout }, () =>
      deletesNothing(postgresDatabases(cluster.url('postgres')), alikeOnBoth),
    );
  });
});
