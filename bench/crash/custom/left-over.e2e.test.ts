import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStoredModels } from '#server/training/models/fixtures/stored-models.js';
import { ageFiles } from '../../kill/age-files.js';
import { findLeftOver } from './left-over.js';

test('files of a dead service that no row names are reported, and no others', async () => {
  const stored = await openStoredModels();
  const { dir: dataDir } = stored.folder;
  const spoolDir = join(dataDir, 'spool');
  const account = await stored.makeAccount('one');
  const model = await stored.models.create(account, { name: 'a', description: '', task: 'classification' });
  await stored.addVersion(account, model.id);
  const asked = { dataDir, spoolDir, crashedMs: Date.now() };
  const left = [
    'blobs/datasets/ab/abandoned',
    'blobs/imports/writing/half-a-zip',
    'custom-models/drafts/half-a-model/model.onnx',
    'custom-models/1d7b5b1c-0000-4000-8000-000000000000/model.onnx',
    'features/of-a-dataset/net@1/kind/ab/abandoned',
    'spool/half-an-image',
  ];
  for (const path of left) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), 'x');
  }
  expect(await findLeftOver(stored, asked)).toEqual([]);
  await ageFiles([dataDir]);
  const paths = (await findLeftOver(stored, asked)).map((words) => words.replace(/ is left of .*/, ''));
  expect(paths).toEqual([
    'blobs/datasets/ab/abandoned',
    'blobs/imports/writing/half-a-zip',
    'custom-models/1d7b5b1c-0000-4000-8000-000000000000',
    'custom-models/drafts/half-a-model',
    'features/of-a-dataset/net@1/kind/ab/abandoned',
    'spool/half-an-image',
  ]);
  await stored.close();
});
