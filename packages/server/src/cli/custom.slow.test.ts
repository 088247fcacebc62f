import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tinyOnnx } from '../training/models/fixtures/tiny-onnx.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-custom-'));
  await lynceus('accounts', 'create', 'house');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const custom = (...words: string[]) => lynceus('custom', ...words, '--account', 'house');

test('a ready model is uploaded, listed, switched, exported and removed', async () => {
  await writeFile(join(folder, 'animals.onnx'), tinyOnnx());
  await writeFile(join(folder, 'labels.txt'), 'cat\ndog\n');
  const uploaded = await custom('upload', 'animals.onnx', 'labels.txt');
  expect([uploaded.code, uploaded.printed]).toEqual([0, 'Model 1001 "animals" has version 1']);
  expect(uploaded.noted).toMatch(/labels: cat, dog/);
  const options = '{"labels":["x","y"]}';
  await custom('upload', 'animals.onnx', '--into', '1001', '--options', options, '--no-activate');
  expect((await custom('list')).printed).toMatch(/1001 +animals +classification +1 /);
  expect((await custom('activate', '1001', '2')).code).toBe(0);
  expect((await custom('versions', '1001')).printed).toMatch(/2\* +upload .*\n1 +upload /);
  expect((await custom('export', '1001', 'out.onnx')).code).toBe(0);
  expect((await readFile(join(folder, 'out.onnx'))).length).toBeGreaterThan(500);
  expect((await custom('export', '1001', 'out.onnx')).noted).toMatch(/already exists/);
  expect((await custom('remove', '1001')).printed).toMatch(/Deleted: 2 versions/);
});

test('a file that is no model is refused in words, and no empty model is left', async () => {
  await writeFile(join(folder, 'a.onnx'), 'no model');
  const refused = await custom('upload', 'a.onnx');
  expect([refused.code, refused.noted]).toEqual([1, expect.stringMatching(/^lynceus: .{10,}/)]);
  expect((await custom('list')).printed).not.toMatch(/1001/);
  expect((await custom('upload', 'missing.onnx')).noted).toMatch(/no file .*missing\.onnx/);
  expect((await custom('activate', 'x', '1')).noted).toMatch(/x is not a number/);
});

test.each([
  [['train'], /Give what to train on/],
  [['train', 'shapes', '--dataset', '1001'], /Give what to train on/],
  [['train', 'nothing-here'], /There is no file or folder nothing-here/],
  [['train', '--dataset', '77'], /77 is not one of your datasets/],
  [['train', '--dataset', '77', '--into', '77'], /77 is not one of your models/],
  [['cancel', '77'], /77 is not one of your models/],
])('%j is refused in words, and leaves no model', async (words, message) => {
  expect(await custom(...words)).toMatchObject({ code: 1, noted: expect.stringMatching(message) });
  expect((await custom('list')).printed).not.toMatch(/^10\d\d /m);
});
