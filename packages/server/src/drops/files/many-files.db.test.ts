import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { type DropTrial, openDropTrial } from '../fixtures/drop-trial.js';
import { partId } from './file-parts.js';
import type { DropRef } from './file-rows.js';
import { purgeFiles } from './remove-files.js';
import { retryFailed } from './retry-file.js';

let trial: DropTrial;
beforeAll(async () => {
  trial = await openDropTrial();
});
afterAll(() => trial.close());

const rowsAtOnce = 500;

/** Files that failed, each with its text; of some the bytes are there. */
async function makeFailed(drop: DropRef, count: number, withBytes: number): Promise<void> {
  const { database, inFolder } = trial;
  const row = (id: string, n: number, ending: string) => ({
    id,
    account_id: drop.accountId,
    drop_id: drop.dropId,
    area: 'failed' as const,
    parent: '2026-01-01',
    name: `${n}.jpg${ending}`,
    state: 'failed' as const,
    came_parent: '',
    came_name: `${n}.jpg`,
    size_bytes: 3,
    created_at: n,
    modified_at: n,
    ended_at: n,
  });
  const rows = Array.from({ length: count }, (_, n) => {
    const id = `${drop.dropId}-failed-${n}`;
    return [row(id, n, ''), row(partId(id, 'reason'), n, '.txt')];
  }).flat();
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await database.write([database.query.insertInto('drop_file').values(rows.slice(at, at + rowsAtOnce))]);
  }
  for (let n = 0; n < withBytes; n += 1) {
    const path = await inFolder.pathOf(`${drop.dropId}-failed-${n}`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'abc');
  }
}

const statesOf = async ({ dropId }: DropRef) => {
  const rows = await trial.database.query
    .selectFrom('drop_file')
    .select(['state', (from) => from.fn.countAll<number>().as('count')])
    .where('drop_id', '=', dropId)
    .groupBy('state')
    .orderBy('state')
    .execute();
  return rows.map(({ state, count }) => [state, Number(count)]);
};

test('a purge takes more than one batch, counts photographs alone, and tells what is left', {
  timeout: 300_000,
}, async () => {
  const { drop } = await trial.makeDrop();
  await makeFailed(drop, 3100, 10);
  const first = await purgeFiles(trial, drop, 'failed');
  expect(first).toEqual({ files: 3000, bytes: 9000, left: 100 });
  expect(await trial.bytes.sizeOf(`${drop.dropId}-failed-0`)).toBe(0);
  expect(await purgeFiles(trial, drop, 'failed')).toEqual({ files: 100, bytes: 300, left: 0 });
  expect(await statesOf(drop)).toEqual([]);
});

test('a retry takes 2000 at once, the oldest first, leaves those without bytes as they are, and takes the rest next', {
  timeout: 300_000,
}, async () => {
  const { drop } = await trial.makeDrop();
  await makeFailed(drop, 2100, 2100);
  const missing = `${drop.dropId}-failed-7`;
  await trial.bytes.remove(missing);
  const deps = { ...trial, clock: systemClock };
  expect(await retryFailed(deps, drop)).toEqual({ files: 1999, left: 101 });
  expect(await retryFailed(deps, drop)).toEqual({ files: 100, left: 1 });
  expect(await statesOf(drop)).toEqual([
    ['arrived', 2099],
    // With the text that says why.
    ['failed', 2],
  ]);
  expect(await trial.waiting()).toHaveLength(2099);
});
