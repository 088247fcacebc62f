import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from './main.js';

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
