import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Databases, postgresDatabases, sqliteDatabases } from '#bench/data-safety/databases.js';
import { runMatrix } from '#bench/data-safety/matrix.js';
import { formatResults } from '#bench/data-safety/run.js';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { haveDefaultModels } from './support/default-models.js';

const programs = findPostgres();
const haveModels = await haveDefaultModels();
const timeout = 1_800_000;

describe.skipIf(!haveModels)('the data-safety matrix', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-data-safety-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const deletesNothing = async (databases: Databases) => {
    const results = await runMatrix(join(dir, databases.kind), databases);
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

    test('deletes nothing in any row on PostgreSQL', { timeout }, () =>
      deletesNothing(postgresDatabases(cluster.url('postgres'))),
    );
  });
});
