import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../cli/main.js';
import { colourOnnx, lightOnnx } from '../training/models/fixtures/tiny-onnx.js';
import {
  colours,
  type ModelService,
  paint,
  startModelService,
  unscaled,
  withImage,
} from './fixtures/model-service.js';

let folder: string;
let service: ModelService;
const modelsDir = () => join(folder, 'models');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-removed-'));
  await writeFile(join(folder, 'colours.onnx'), colourOnnx());
  await writeFile(join(folder, 'light.onnx'), lightOnnx());
  await lynceus(...addColours);
  service = await startModelService({
    LYNCEUS_MODELS_DIR: modelsDir(),
    LYNCEUS_DEFAULT_CLASSIFIER: 'colours',
  });
});
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** In the environment of another shell, which selects no model. */
async function lynceus(...words: string[]): Promise<void> {
  const said: string[] = [];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_MODELS_DIR: modelsDir(), LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: (text) => said.push(text),
    note: (text) => said.push(text),
  });
  expect(code, said.join('\n')).toBe(0);
}
const addColours = [
  ...['models', 'add', 'colours.onnx', '--id', 'colours', '--licence', 'MIT'],
  ...['--options', JSON.stringify(colours)],
];
const addLight = [
  ...['models', 'add', 'light.onnx', '--id', 'colours', '--licence', 'MIT', '--options'],
  JSON.stringify({
    labels: ['light'],
    layout: 'rows',
    boxes: { format: 'xyxy', unit: 'pixels' },
    input: unscaled,
  }),
];
const recognise = () => service.send('POST', '/predict/image?parts=classes', withImage(paint(200, 20, 20)));
const ready = () => service.send('GET', '/readyz');

test('a selected model that is removed or replaced is reported until it is there again', async () => {
  expect((await recognise()).json.predictions[0].class_title).toBe('red');
  expect((await ready()).status).toBe(200);

  await lynceus('models', 'remove', 'colours');
  const removed = await recognise();
  expect([removed.status, removed.json.error.code]).toEqual([503, 'model_missing']);
  expect(removed.json.error.message).toMatch(
    /model colours was removed .* lynceus models add FILE --id colours/,
  );
  const { status, json } = await ready();
  expect([status, json.ready]).toEqual([503, false]);
  expect(JSON.stringify(json.components)).toMatch(/colours was removed .*selected by defaultClassifier/);

  await lynceus(...addLight);
  for (const model of ['colours', 301]) {
    const replaced = await service.recognise(model, paint(200, 20, 20));
    expect([replaced.status, replaced.json.error.code]).toEqual([503, 'model_missing']);
  }

  await lynceus('models', 'remove', 'colours');
  await lynceus(...addColours);
  expect((await recognise()).json.predictions[0].class_title).toBe('red');
  expect((await ready()).status).toBe(200);
});
