import { expect, test } from 'vitest';
import { startTestService } from '../../http/fixtures/test-service.js';
import { tablesWithColumns } from './fixtures/deletion-trial.js';
import { ownedRows } from './owned-rows.js';

test('every table that leads to an account is deleted with it, or kept for a reason', async () => {
  const tested = await startTestService();
  try {
    const tables = await tablesWithColumns(tested);
    const references = new Set(ownedRows.map(({ table }) => String(table)));
    // And whatever says account or user in a column is of one of them.
    const suspicious = tables.filter(
      ({ table, columns }) => columns.some((column) => /account|user/.test(column)) && !references.has(table),
    );
    expect(suspicious.map(({ table }) => table).sort()).toEqual(['account_deletion']);
  } finally {
    await tested.stop();
  }
});
