import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFolderTagging } from '#server/tagging/folder-tagging.js';
import { haveExiftool, havePerl } from '../keywords/keyword-trial.js';
import { sample } from '../support/sample.js';
import { foundIn, startTagTrial, type TagTrial } from './tag-trial.js';

describe.skipIf(!havePerl || !haveExiftool)('several folders one after the other', () => {
  let trial: TagTrial;
  let folders: string[];
  beforeAll(async () => {
    trial = await startTagTrial();
  });
  beforeEach(async () => {
    folders = ['a', 'b', 'c'].map((name) => join(trial.folder, name));
    for (const path of folders) {
      await rm(path, { recursive: true, force: true });
      await mkdir(path);
      await writeFile(join(path, '1.jpg'), sample);
    }
  });
  afterAll(() => trial.close());
  const isGuarded = async (folder = '') => (await trial.journal(folder)).includes('.guard');

  test('the next one begins while guards run out, and who writes meanwhile gets the file back', async () => {
    const [first = '', second = '', third = ''] = folders;
    const writer = await open(join(first, '1.jpg'), 'a');
    let guarded: readonly boolean[] = [];
    const recognise = async () => {
      const begun = await Promise.all([first, second].map((folder) => isGuarded(folder).catch(() => false)));
      if (begun.every((each) => each)) {
        guarded = begun;
        await writer.write('more');
        await writer.close();
      }
      return foundIn('otter');
    };
    const verdicts = await trial.tag(trial.folder, { settleMs: 10_000, recognise });
    expect(guarded).toEqual([true, true]);
    expect(verdicts.map(({ path, outcome }) => [path, outcome])).toEqual([
      [join(first, '1.jpg'), 'tagged'],
      [join(first, '1.jpg'), 'failed'],
      [join(second, '1.jpg'), 'tagged'],
      [join(third, '1.jpg'), 'tagged'],
    ]);
    expect(await readFile(join(first, '1.jpg'))).toEqual(Buffer.concat([sample, Buffer.from('more')]));
    for (const folder of folders) expect(await isGuarded(folder)).toBe(false);
  });

  test('above the limit of open folders, the next one waits', async () => {
    const [first = ''] = folders;
    const guarded: boolean[] = [];
    const recognise = async () => {
      guarded.push(await isGuarded(first).catch(() => false));
      return foundIn('otter');
    };
    await trial.tag(trial.folder, { settleMs: 700, recognise }, 1);
    expect(guarded).toEqual([false, false, false]);
  });

  test('a folder that comes again waits for its own guards', async () => {
    const [path = ''] = folders;
    const tagging = createFolderTagging({ ...trial.usual, settleMs: 700 });
    const outcomes: string[] = [];
    const options = {
      ...{ inFlight: 2, signal: new AbortController().signal },
      onVerdict: ({ outcome }: { outcome: string }) => outcomes.push(outcome),
    };
    const folder = { path, names: ['1.jpg'] };
    await tagging.tag(folder, options);
    await tagging.tag(folder, options);
    await tagging.end();
    expect(outcomes).toEqual(['tagged', 'done-before']);
    expect(await readdir(path)).toEqual(['.lynceus-tag', '1.jpg']);
  });
});
