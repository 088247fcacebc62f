import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-datasets-'));
  await lynceus('accounts', 'create', 'house');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data'), LYNCEUS_INFERENCE_PROCESSES: '1' },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const house = ['--account', 'house'];

/** An 8 x 8 image of one colour with a dot, as BMP: bytes that are drawn by hand. */
function drawBmp(seed: number): Buffer {
  const bmp = Buffer.alloc(54 + 8 * 8 * 3, (seed * 37) % 200);
  bmp.fill(0, 0, 54);
  bmp.write('BM');
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(8, 18);
  bmp.writeInt32LE(8, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  bmp.fill(255, 54 + 3 * seed, 60 + 3 * seed);
  return bmp;
}

test('a folder is imported, listed, checked, exported, imported again from the zip, and removed', async () => {
  for (const [index, name] of ['cat', 'dog'].entries()) {
    await mkdir(join(folder, 'animals', name), { recursive: true });
    await writeFile(join(folder, 'animals', name, '1.bmp'), drawBmp(index * 9 + 2));
  }
  await writeFile(join(folder, 'animals', 'dog', 'broken.jpg'), 'no image');
  const imported = await lynceus('datasets', 'import', 'animals', '--report', 'all.csv', ...house);
  expect([imported.code, imported.printed]).toEqual([
    0,
    expect.stringMatching(
      /Refused: not-an-image \(1 label\)\n {2}dog\/broken.jpg: [\s\S]*Dataset 1001 "animals": 2 images added, 0 already present, 1 refused \(folders\)/,
    ),
  ]);
  expect((await readFile(join(folder, 'all.csv'), 'utf8')).split('\n').slice(0, 2)).toEqual([
    'problem,effect,file,image_id,labels,message',
    'not-an-image,refused,dog/broken.jpg,,1,"it is no JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or BMP"',
  ]);
  const listed = await lynceus('datasets', 'list', ...house);
  expect(listed.printed).toMatch(/1001 +animals +classification +2 +2 +2 /);
  const checked = await lynceus('datasets', 'check', '1001', ...house);
  expect(checked.printed).toMatch(/few-images: the class "cat" is in 1/);

  const exported = await lynceus('datasets', 'export', '1001', 'a.zip', '--format', 'csv', ...house);
  expect([exported.noted, exported.code]).toEqual(['', 0]);
  expect((await readFile(join(folder, 'a.zip'))).subarray(0, 2).toString()).toBe('PK');
  const again = await lynceus('datasets', 'import', 'a.zip', '--into', '1001', ...house);
  expect(again.printed).toMatch(/0 images added, 2 already present, 0 refused \(csv\)/);
  expect((await lynceus('datasets', 'export', '1001', 'a.zip', '--format', 'csv', ...house)).noted).toMatch(
    /already exists/,
  );

  const removed = await lynceus('datasets', 'remove', '1001', ...house);
  expect(removed.printed).toBe('Deleted: 2 images, 2 labels, 2 classes');
  const left = await readdir(join(folder, 'data', 'blobs', 'datasets'), {
    recursive: true,
    withFileTypes: true,
  });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
});

test('reports what cannot be done, and leaves no dataset behind', async () => {
  await writeFile(join(folder, 'a.zip'), 'no zip');
  for (const [words, message] of [
    [['import', 'a.zip'], /no whole zip/],
    [['import', 'gone'], /There is no file or folder gone/],
    [['check', 'x'], /x is not the number of a dataset/],
    [['check', '77'], /77 is not one of your datasets/],
  ] as const) {
    const { code, noted } = await lynceus('datasets', ...words, ...house);
    expect([code, noted]).toEqual([1, expect.stringMatching(message)]);
  }
  expect((await lynceus('datasets', 'list', ...house)).printed).not.toMatch(/100/);
});
