import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithoutModels } from '../service.js';
import { formatTable } from '../table.js';
import { type Databases, postgresDatabases, sqliteDatabases } from './databases.js';
import { type RowResult, runMatrix } from './matrix.js';

/** What happens to files when a database and a data folder do not belong together; on PostgreSQL too, where one is given. */
export async function runDataSafety(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-data-safety-'));
  const adminUrl = process.env['LYNCEUS_DATABASE_URL'] ?? '';
  const kinds: readonly Databases[] = [
    sqliteDatabases(dir),
    ...(adminUrl === '' ? [] : [postgresDatabases(adminUrl)]),
  ];
  const results: RowResult[] = [];
  try {
    for (const databases of kinds) {
      results.push(...(await runMatrix(join(dir, databases.kind), databases, startWithoutModels)));
      await databases.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  console.log(formatResults(results));
  if (results.some(({ deleted }) => deleted.length > 0)) throw new Error('files were deleted');
}

export function formatResults(results: readonly RowResult[]): string {
  return formatTable([
    ['database', 'what happened', 'the service', 'files before', 'files after', 'deleted'],
    ...results.map((row) => [
      ...[row.database, row.dataFault, row.outcomes.join(', ')],
      ...[row.filesBefore, row.filesAfter, row.deleted.length].map(String),
    ]),
  ]);
}
