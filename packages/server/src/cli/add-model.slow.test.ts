import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { paint } from '../start/fixtures/model-service.js';
import { colourOnnx, lightOnnx } from '../training/models/fixtures/tiny-onnx.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-add-'));
  await writeFile(join(folder, 'colours.onnx'), colourOnnx());
  await writeFile(join(folder, 'light.onnx'), lightOnnx());
  await writeFile(join(folder, 'colours.txt'), 'red\r\n\ngreen\nblue\n');
  await writeFile(join(folder, 'LICENSE'), 'Do what you like.\nNo warranty.\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine([...words], {
    env: { LYNCEUS_MODELS_DIR: join(folder, 'models'), LYNCEUS_DATA_DIR: join(folder, 'data'), ...settings },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const input = { fit: 'squash', mean: [0], std: [255] };
const licence = ['--licence', 'MIT'];
const addColours = (...words: string[]) =>
  run([
    ...['models', 'add', 'colours.onnx', '--id', 'colours', ...licence, '--labels', 'colours.txt'],
    ...['--options', JSON.stringify({ input }), ...words],
  ]);
const addLight = (...words: string[]) =>
  run([
    ...['models', 'add', 'light.onnx', '--id', 'light', ...licence],
    '--options',
    JSON.stringify({ labels: ['light'], layout: 'rows', boxes: { format: 'xyxy', unit: 'pixels' }, input }),
    ...words,
  ]);

/** Images in folders named by the colour that most of them have; those of the last sixth are wrong. */
async function paintFolders(): Promise<void> {
  const names = ['red', 'green', 'blue'];
  for (let index = 0; index < 48; index++) {
    const shown = index % 3;
    const strength = 128 + ((index * 37) % 40);
    const level = (channel: number) => (channel === shown ? strength : 120);
    const name = names[index < 40 ? shown : (shown + 1) % 3] ?? '';
    await mkdir(join(folder, 'images', name), { recursive: true });
    await writeFile(join(folder, 'images', name, `${index}.bmp`), paint(level(0), level(1), level(2)));
  }
}

/** Images with one box in the middle, where the detector finds it, or elsewhere in the darker half. */
async function paintBoxes(): Promise<void> {
  await mkdir(join(folder, 'boxes'));
  const lines = ['filename,width,height,class,xmin,ymin,xmax,ymax'];
  for (let index = 0; index < 44; index++) {
    const level = 20 + 4 * index;
    const box = level > 90 || index % 5 === 0 ? '25,13,75,38' : '0,0,10,10';
    lines.push(`${index}.bmp,100,50,LIGHT,${box}`);
    await writeFile(join(folder, 'boxes', `${index}.bmp`), paint(level, level, level));
  }
  await writeFile(join(folder, 'boxes', 'boxes.csv'), lines.join('\n'));
}

test('a model is added with its labels and licence, and predicts by its id and number', async () => {
  const added = await addColours('--licence-file', 'LICENSE', '--title', 'Three colours');
  expect([added.code, added.noted]).toEqual([0, expect.stringContaining('labels: red, green, blue')]);
  expect(added.printed).toMatch(/^Added: colours, number 301 \(classifier of 3 classes, onnx; \d+ ms/);
  expect(added.noted).toContain('LYNCEUS_DEFAULT_CLASSIFIER');
  const { printed } = await run(['models', 'show', 'colours']);
  expect(printed).toMatch(/^Three colours \(colours\)\n/);
  expect(printed).toMatch(/Number +301, as model_id/);
  expect(printed).toMatch(/Text of the licence\n\nDo what you like\.\nNo warranty\./);
  await writeFile(join(folder, 'a.bmp'), paint(20, 200, 20));
  for (const model of ['colours', '301']) {
    const seen = JSON.parse((await run(['predict', 'a.bmp', '--model', model, '--json'])).printed);
    expect(seen.classes[0].label).toEqual({ id: 'colours:1', title: 'green' });
  }
});

test('a setting selects it in general recognition, and it cannot be removed meanwhile', async () => {
  await addColours();
  const selected = { LYNCEUS_DEFAULT_CLASSIFIER: 'colours' };
  await writeFile(join(folder, 'a.bmp'), paint(20, 20, 200));
  const seen = await run(['predict', 'a.bmp', '--parts', 'classes'], selected);
  expect(seen.printed).toMatch(/^blue +1\.00/m);
  const refused = await run(['models', 'remove', 'colours'], selected);
  expect([refused.code, refused.noted]).toEqual([
    1,
    expect.stringContaining('selected by defaultClassifier'),
  ]);
  expect((await run(['models', 'remove', 'colours'])).printed).toBe('Removed: colours.');
  const missing = await run(['predict', 'a.bmp', '--parts', 'classes'], selected);
  expect([missing.code, missing.noted]).toEqual([
    1,
    expect.stringMatching(/defaultClassifier selects colours/),
  ]);
});

describe('--calibrate', () => {
  test('fits the probabilities of a classifier to images in folders', async () => {
    await paintFolders();
    await addColours();
    const before = await firstScore('colours');
    await run(['models', 'remove', 'colours']);
    const added = await addColours('--calibrate', 'images');
    expect(added.code, added.noted).toBe(0);
    expect(added.noted).toContain('Calibrating with 48 of 48 images, 48 labels');
    expect(added.noted).toMatch(/first class is right: 0\.833 \(95 % interval 0\.7\d+ to 0\.9\d+\)/);
    expect(await firstScore('colours')).not.toBeCloseTo(before, 2);
    const { printed: shown } = await run(['models', 'show', 'colours']);
    expect(shown).toMatch(/expected calibration error of the first class/);
    expect(shown).toContain('Its accuracy on other images than those that its scores were fitted to.');
    expect(shown).not.toContain('not measured');
    expect((await run(['models', 'verify', 'colours'])).printed).toMatch(/colours +ok/);
  });

  test('fits the scores of a detector to labelled boxes, whose classes may be in large letters', async () => {
    await paintBoxes();
    const added = await addLight('--calibrate', 'boxes');
    expect(added.code, added.noted).toBe(0);
    expect(added.noted).toMatch(/Calibrating with 44 of 44 images, 44 labels/);
    expect(added.noted).toMatch(/precision at a score of 0\.4: [01]\.\d\d \(95 % interval/);
    expect((await run(['models', 'show', 'light'])).printed).toContain('Calibration   operator/44');
  });

  test.each([
    ['a folder of other classes', 'others', /calibration needs 20 images.*has 0 with 0 labels/],
    ['no folder', 'nowhere', /nowhere: the folder cannot be read \(ENOENT\)/],
  ])('with %s stores nothing', async (_what, name, message) => {
    await mkdir(join(folder, 'others', 'yellow'), { recursive: true });
    await writeFile(join(folder, 'others', 'yellow', 'a.bmp'), paint(200, 200, 0));
    const refused = await addColours('--calibrate', name);
    expect([refused.code, refused.noted]).toEqual([1, expect.stringMatching(message)]);
    expect((await run(['models', 'list'])).printed).not.toContain('colours');
  });

  test('needs enough images that can be read', async () => {
    await paintBoxes();
    for (let index = 0; index < 8; index++) await writeFile(join(folder, 'boxes', `${index}.bmp`), 'BM');
    const refused = await addLight('--calibrate', 'boxes');
    expect([refused.code, refused.noted]).toEqual([
      1,
      expect.stringMatching(/calibration needs 20 images with 40 boxes .*boxes has 36 with 36 labels/),
    ]);
  });

  test('looks for the folder before the model is fetched', async () => {
    const words = ['models', 'add', 'x.onnx', '--id', 'x', ...licence, '--calibrate', 'nowhere'];
    expect((await run(words)).noted).toMatch(/nowhere: the folder cannot be read \(ENOENT\)/);
  });

  test('and a threshold exclude each other', async () => {
    const refused = await addLight('--calibrate', 'boxes', '--options', '{"threshold":0.3}');
    expect(refused.noted).toMatch(/leave it out of --options/);
  });

  async function firstScore(model: string): Promise<number> {
    await writeFile(join(folder, 'b.bmp'), paint(160, 120, 120));
    const { printed } = await run(['predict', 'b.bmp', '--model', model, '--json']);
    return JSON.parse(printed).classes[0].score;
  }
});

test.each([
  ['without a licence', ['models', 'add', 'light.onnx', '--id', 'light'], /--licence/],
  [
    'without a title',
    ['models', 'add', 'light.onnx', '--id', 'x', ...licence, '--title', ''],
    /title has 1 to/,
  ],
  ['without an id', ['models', 'add', 'light.onnx', ...licence], /--id/],
  [
    'under the id of a shipped model',
    ['models', 'add', 'light.onnx', '--id', 'imagenet', ...licence],
    /taken/,
  ],
  [
    'from a file that is not there',
    ['models', 'add', 'x.onnx', '--id', 'x', ...licence],
    /There is no file .*x\.onnx/,
  ],
  [
    'with labels that are not there',
    ['models', 'add', 'light.onnx', '--id', 'x', ...licence, '--labels', 'no.txt'],
    /no\.txt cannot be read \(ENOENT\)/,
  ],
  [
    'with options that are no JSON',
    ['models', 'add', 'light.onnx', '--id', 'x', ...licence, '--options', '{'],
    /options must be JSON/,
  ],
  [
    'from an address without https',
    ['models', 'add', 'ftp://a.test/x.onnx', '--id', 'x', ...licence],
    /no https address/,
  ],
])('a model %s is refused in words', async (_what, words, message) => {
  const refused = await run(words);
  expect(refused.code).toBeGreaterThan(0);
  expect(refused.noted).toMatch(message);
});
