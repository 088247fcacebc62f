import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultModelsDir, openCatalog } from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, type Service, startService } from '#bench/service.js';
import { colourOnnx, lightOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample, upload } from './support/sample.js';

/** The installed models of this machine in a folder of its own, to which others can be added. */
async function linkModels(folder: string): Promise<void> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const list = (await openCatalog({ modelsDir })).list();
  await mkdir(join(folder, 'installed'), { recursive: true });
  for (const { installed } of list) {
    if (installed) await symlink(dirname(installed.dir), join(folder, 'installed', installed.id));
  }
}

const input = { fit: 'squash', mean: [0], std: [255] };
const light = { labels: ['light'], layout: 'rows', boxes: { format: 'xyxy', unit: 'pixels' }, input };
const colours = { labels: ['red', 'green', 'blue'], input };

describe.skipIf(!(await haveDefaultModels()))('models that the operator added', { timeout: 300_000 }, () => {
  let dir: string;
  let service: Service;
  let common: Record<string, string>;
  const post = async (path: string) => {
    const mark = path.includes('?') ? '&' : '?';
    const answer = await fetch(`${service.url}${path}${mark}apikey=${service.key}`, {
      method: 'POST',
      body: upload(sample),
    });
    return JSON.parse(await answer.text());
  };
  const v2 = async (model_id?: string | number) => {
    const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: JSON.stringify({ base64str: sample.toString('base64'), model_id }),
    });
    return JSON.parse(await answer.text());
  };
  const add = (file: string, id: string, options: object) =>
    runCommand(
      [
        'models',
        'add',
        join(dir, file),
        '--id',
        id,
        '--licence',
        'MIT',
        '--options',
        JSON.stringify(options),
      ],
      common,
    );
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-added-'));
    common = { LYNCEUS_MODELS_DIR: join(dir, 'models'), LYNCEUS_INFERENCE_PROCESSES: '1' };
    await linkModels(join(dir, 'models'));
    await writeFile(join(dir, 'light.onnx'), lightOnnx());
    await writeFile(join(dir, 'colours.onnx'), colourOnnx());
    await add('light.onnx', 'light', light);
    await add('colours.onnx', 'colours', colours);
    service = await startService({
      ...common,
      LYNCEUS_DEFAULT_DETECTOR: 'light',
      LYNCEUS_V2_MODEL: '302',
    });
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test('general recognition has the selected detector and the shipped classifier', async () => {
    const { predictions } = await post('/predict/image/?predicttype=basic');
    const text = JSON.stringify(predictions);
    expect(text).toContain('"light"');
    expect(text).not.toContain('stop sign');
    expect(text).toContain('street sign');
  });

  test('v1 detects by the selected model unless the caller names one', async () => {
    const { predictions } = await post('/predict/object_detection/');
    expect(predictions).toEqual([expect.objectContaining({ class_title: 'light', model_id: 301 })]);
    const named = await post('/predict/object_detection/?model_id=coco-accurate');
    expect(named.predictions[0]).toMatchObject({ class_title: 'stop sign', model_id: 101 });
  });

  test('v2 answers by the selected model, by an added one, and by a shipped one', async () => {
    expect((await v2()).predictions[0]).toMatchObject({ model_id: 'colours', model_title: 'colours' });
    expect((await v2(301)).predictions[0]).toMatchObject({ model_id: 'light', class_title: 'light' });
    expect((await v2('coco-fast')).predictions[0]).toMatchObject({ model_id: 'coco-fast' });
  });

  test('the list of built-in models has them with their licences', async () => {
    const answer = await fetch(`${service.url}/api/models/built-in`, {
      headers: { 'x-api-key': service.key },
    });
    const { data } = JSON.parse(await answer.text()) as { data: { id: string }[] };
    expect(data.find(({ id }) => id === 'light')).toMatchObject({
      is_added: true,
      is_installed: true,
      licence: { stated: 'MIT', text: null },
      predicts_as: [{ model_id: 301, uid: 'light', task: 'object_detection' }],
    });
    expect(data.find(({ id }) => id === 'coco-ssd')).toMatchObject({ is_added: false });
  });

  test('a service whose setting selects none of its models says which there are', async () => {
    let output = '';
    const started = startService(
      { ...common, LYNCEUS_DROP_CLASSIFIER: 'light' },
      (text) => {
        output += text;
      },
      1,
    );
    await expect(started).rejects.toThrow();
    expect(output).toContain('dropClassifier selects light, which is not one of imagenet, colours.');
  });
});
