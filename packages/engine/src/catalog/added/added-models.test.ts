import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AddRequest, openCatalog } from '../catalog.js';
import type { ConvertUpload } from './convert-upload.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-added-'));
  await writeFile(join(folder, 'a.onnx'), 'a model');
  await mkdir(join(folder, 'shipped'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Takes every file for a classifier of two classes. */
const converting =
  (notes: readonly string[] = []): ConvertUpload =>
  async ({ id, title, outDir }) => {
    await mkdir(outDir);
    await writeFile(join(outDir, 'model.onnx'), 'a graph');
    const labels = ['cat', 'dog'].map((name, index) => ({ id: `${id}:${index}`, title: name }));
    const input = { fit: 'squash', width: 8, height: 8 } as const;
    const manifest = { id, version: 'added', title, family: 'classifier', input, labels } as const;
    return { manifest: { ...manifest, labels }, format: 'onnx', notes, trial: { ms: 1, mb: 1 } };
  };
const modelsDir = () => join(folder, 'models');
const open = (convertUpload = converting()) =>
  openCatalog({ modelsDir: modelsDir(), entriesDir: join(folder, 'shipped'), convertUpload });
const request = (changes: Partial<AddRequest> = {}): AddRequest => ({
  id: 'pets',
  from: join(folder, 'a.onnx'),
  licence: { stated: 'MIT' },
  options: {},
  maxBytes: 100,
  ...changes,
});
const sources = () => readdir(join(modelsDir(), 'sources'));

describe('a model is not added, and nothing is written, with', () => {
  test.each<[string, Partial<AddRequest>, RegExp]>([
    ['an empty title', { title: '' }, /^A title has 1 to 200 characters/],
    ['a title of spaces', { title: '  ' }, /^A title has 1 to 200/],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, /^A title has 1 to 200/],
    ['a title of two lines', { title: 'Pets\nof mine' }, /title has no control characters/],
    ['no licence', { licence: { stated: ' ' } }, /needs a licence/],
    ['a licence in place of its name', { licence: { stated: 'x'.repeat(101) } }, /up to 100 characters/],
    ['a licence of two lines', { licence: { stated: 'MIT\u001b[31m' } }, /licence has no control characters/],
    ['an empty text of the licence', { licence: { stated: 'MIT', text: '\n' } }, /has 1 to 200000 char/],
    ['a bell in that text', { licence: { stated: 'MIT', text: 'a\u0007' } }, /but line breaks and tabs/],
  ])('%s', async (_what, changes, message) => {
    await expect((await open()).add(request(changes))).rejects.toThrow(message);
    expect(await readdir(folder)).toEqual(['a.onnx', 'shipped']);
  });
});

test('a title and a name of a licence lose the spaces around them; a licence may have tabs and page breaks', async () => {
  const licence = { stated: ' MIT ', text: 'The\tMIT\r\nlicence\f' };
  await (await open()).add(request({ title: ' Pets ', licence }));
  const [added] = (await open()).list();
  expect(added?.entry).toMatchObject({ title: 'Pets', licence: { stated: 'MIT', text: licence.text } });
});

test('an entry that could not be read again is not written', async () => {
  const catalog = await open(converting(['']));
  await expect(catalog.add(request())).rejects.toThrow(
    /entry of pets cannot be written: \/provenance\/known/,
  );
  expect([catalog.list(), catalog.leftOut()]).toEqual([[], []]);
  const left = await readdir(modelsDir(), { recursive: true });
  expect(left.sort()).toEqual(['entries', 'model-numbers.json', 'scratch']);
});

describe('an added model whose entry is damaged', () => {
  beforeEach(async () => {
    const catalog = await open();
    await catalog.add(request());
    const path = join(modelsDir(), 'entries', 'pets.json');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), title: '' }));
  });

  test('is left out beside the others, and its id stays taken until it is removed', async () => {
    const catalog = await open();
    await catalog.add(request({ id: 'zoo' }));
    expect(catalog.list().map(({ entry }) => entry.id)).toEqual(['zoo']);
    expect(catalog.leftOut()).toMatchObject([{ id: 'pets', isRemovable: true }]);
    await expect(catalog.add(request())).rejects.toThrow(/"pets" is taken; .*models remove pets/);
    await catalog.remove('pets');
    expect((await catalog.add(request())).model.entry.modelId).toBe(301);
  });

  test('is removed with all its files', async () => {
    expect(await (await open()).remove('pets')).toBe(true);
    expect([await sources(), await readdir(join(modelsDir(), 'installed'))]).toEqual([[], []]);
    expect(await readdir(join(modelsDir(), 'entries', 'labels'))).toEqual([]);
  });

  test('keeps its source while another model with it is removed', async () => {
    const catalog = await open();
    await catalog.add(request({ id: 'zoo' }));
    await catalog.remove('zoo');
    expect(await sources()).toHaveLength(1);
  });
});

test('a removal keeps a source that another process has given to a new model meanwhile', async () => {
  await (await open()).add(request());
  const before = await open();
  await (await open()).add(request({ id: 'zoo' }));
  await before.remove('pets');
  expect(await sources()).toHaveLength(1);
  expect(before.list().map(({ entry }) => entry.id)).toEqual(['zoo']);
});
