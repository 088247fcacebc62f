import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@lynceus/engine';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import type { DropPath } from '../drop-folders.js';
import { namesIn } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
let photo: Buffer;
beforeAll(async () => {
  service = await openWorkingDrop();
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => service.close());

/** The first prediction hangs until it is let go, or fails so. */
function holdPredictions() {
  let begun = 0;
  let letGo = (_error?: Error): void => undefined;
  const held = new Promise<void>((resolve, reject) => {
    letGo = (error) => (error ? reject(error) : resolve());
  });
  held.catch(() => undefined);
  service.runner.script = async () => {
    begun += 1;
    if (begun === 1) await held;
    else await sleep(50);
    return found;
  };
  const begins = async () => {
    while (begun === 0) await sleep(10);
  };
  return { begins, letGo: (error?: Error) => letGo(error) };
}

test('a file that its client goes on with while it is looked at is sent on once', async () => {
  // At what moment the work is overtaken decides what could go wrong.
  for (const pauseMs of [0, 10, 20, 30, 40, 50, 60, 70]) {
    const { drop, folders } = await service.makeDrop();
    const path: DropPath = ['incoming', `resumed${pauseMs}.jpg`];
    const held = holdPredictions();
    const first = await folders.receive(path, { at: 'begin' });
    await first.write(photo.subarray(0, 300));
    await first.finish();
    await held.begins();
    const rest = await folders.receive(path, { at: 'end' });
    await rest.write(photo.subarray(300));
    await rest.finish();
    await sleep(pauseMs);
    held.letGo();
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done' }]);
  }
  const { query } = service.database;
  for (;;) {
    const jobs = await query.selectFrom('job').select('id').where('ended_at', 'is', null).execute();
    if (jobs.length === 0) break;
    await sleep(20);
  }
  expect(await readdir(service.target)).toHaveLength(8);
  const rows = await query.selectFrom('drop_file').select(['state']).execute();
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'done'));
  const events = await query.selectFrom('drop_event').select('what').where('what', '=', 'done').execute();
  expect(events).toHaveLength(8);
  expect(service.failures).toEqual([]);
});

test('a file that its client goes on with while it is given up has not failed, and no reason is left', async () => {
  const { drop, folders } = await service.makeDrop();
  const path: DropPath = ['incoming', 'late.jpg'];
  const day = new Date().toISOString().slice(0, 10);
  for (const round of [1, 2]) {
    const held = holdPredictions();
    const first = await folders.receive(path, { at: 'begin' });
    await first.write(photo.subarray(0, 300));
    await first.finish();
    await held.begins();
    const rest = await folders.receive(path, { at: 'end' });
    held.letGo(new EngineError('image-corrupt', 'half an image'));
    await sleep(300);
    expect(await namesIn(folders, ['failed', day]).catch(() => [])).toEqual([]);
    await rest.write(photo.subarray(300));
    await rest.finish();
    const rows = await service.settled(drop.id);
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: round }, () => 'done'));
  }
});
