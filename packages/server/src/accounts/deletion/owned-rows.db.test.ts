import { expect, test } from 'vitest';
import { startTestService } from '../../http/fixtures/test-service.js';
import { tablesWithColumns } from './fixtures/deletion-trial.js';
import { keptTables, ownedRows } from './owned-rows.js';

test('every table that leads to an account is deleted with it, or named with a reason', async () => {
  const tested = await startTestService();
  try {
    const tables = await tablesWithColumns(tested);
    const references = new Set(ownedRows.map(({ table }) => String(table)));
    const reasoned = new Set(Object.keys(keptTables));
    const unhandled = tables
      .filter(({ table }) => !references.has(table) && !reasoned.has(table))
      .map(({ table }) => table);
    expect(unhandled).toEqual([]);
    const known = new Set(tables.map(({ table }) => table));
    expect([...references, ...reasoned].filter((table) => !known.has(table))).toEqual([]);
    // And whatever says account or user in a column is of one of them.
    const suspicious = tables.filter(
      ({ table, columns }) => columns.some((column) => /account|user/.test(column)) && !references.has(table),
    );
    expect(suspicious.map(({ table }) => table).sort()).toEqual(['account_deletion']);
  } finally {
    await tested.stop();
  }
});
