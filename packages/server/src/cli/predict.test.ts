import { link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsOf } from './context.js';
import { runCommandLine } from './main.js';
import { withImages } from './predict-sources.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-predict-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['--model coco-fast --languages de', /--languages is for texts, which no model of --model reads/],
  ['--model imagenet --detail high', /--detail is for objects, and imagenet finds classes/],
  ['--parts objects --languages de', /--languages is for texts, which --parts leaves out/],
  ['--parts texts --detail high', /--detail is for objects, which --parts leaves out/],
  ['--parts texts --languages de,xx', /--languages must be a list of cs, da, .*, zh, separated by commas/],
  ['--model nobodys', /nobodys is not a built-in model; those are coco-accurate, coco-fast, imagenet/],
])('predict %s is refused in words before an image is looked at', async (options, message) => {
  const noted: string[] = [];
  const code = await runCommandLine(['predict', 'a.jpg', ...options.split(' ')], {
    env: { LYNCEUS_MODELS_DIR: join(folder, 'models'), LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: () => undefined,
    note: (text) => noted.push(text),
  });
  expect([code, noted.join('\n')]).toEqual([1, expect.stringMatching(message)]);
});

test('a folder or a list that cannot be read fails in its place', async () => {
  const list = join(folder, 'missing.txt');
  const context = { env: {}, cwd: folder, print: () => undefined, note: () => undefined };
  const { settings } = settingsOf(context);
  const sources = { images: ['a.jpg'], filesFrom: list, isNullEnded: false, isRecursive: true };
  await withImages(sources, settings, context, async (images) => {
    const failures: string[] = [];
    for await (const { name, use } of images) {
      const failure = await use(async () => 'none').catch((error: unknown) => String(error));
      failures.push(`${name}: ${failure}`);
    }
    expect(failures).toEqual([
      expect.stringContaining('a.jpg: Error: There is no file a.jpg'),
      expect.stringMatching(/missing\.txt: Error: .* cannot be read \(ENOENT/),
    ]);
  });
});

test('--annotate neither overwrites the image nor passes a folder over', async () => {
  await writeFile(join(folder, 'own.jpg'), 'former');
  await link(join(folder, 'own.jpg'), join(folder, 'same.jpg'));
  await mkdir(join(folder, 'some'));
  const predict = async (...words: string[]) => {
    const noted: string[] = [];
    const env = { LYNCEUS_MODELS_DIR: join(folder, 'models'), LYNCEUS_DATA_DIR: join(folder, 'data') };
    const note = (text: string) => noted.push(text);
    const code = await runCommandLine(['predict', ...words], {
      env,
      cwd: folder,
      print: () => undefined,
      note,
    });
    return [code, noted.join('\n')];
  };
  const own = [1, expect.stringContaining('--annotate would overwrite the image own.jpg')];
  expect(await predict('own.jpg', '--annotate', 'own.jpg')).toEqual(own);
  expect(await predict('own.jpg', '--annotate', 'same.jpg')).toEqual(own);
  expect(await predict('some', '--annotate', 'o.jpg')).toEqual([
    1,
    expect.stringContaining('is for one image'),
  ]);
  expect(await readFile(join(folder, 'own.jpg'), 'utf8')).toBe('former');
});
