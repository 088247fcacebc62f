import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colourOnnx, lightOnnx } from '../training/models/fixtures/tiny-onnx.js';
import {
  colours,
  key,
  type ModelService,
  paint,
  startModelService,
  unscaled,
  withImage,
} from './fixtures/model-service.js';

let service: ModelService;
beforeAll(async () => {
  service = await startModelService();
}, 300_000);
afterAll(() => service.close());
const { send, make, upload, recognise }: Pick<ModelService, 'send' | 'make' | 'upload' | 'recognise'> = {
  send: (...given) => service.send(...given),
  make: (task) => service.make(task),
  upload: (...given) => service.upload(...given),
  recognise: (...given) => service.recognise(...given),
};

test('an uploaded classifier answers in v1 and v2 as its downloaded file does in ONNX Runtime alone', async () => {
  const id = await make('classification');
  const made = await upload(id, colourOnnx(), colours);
  expect([made.status, made.json.labels]).toEqual([201, ['red', 'green', 'blue']]);
  const image = paint(200, 80, 20);
  const { status, json } = await recognise(id, image);
  expect([status, json.model_id, json.prediction_type]).toEqual([200, String(id), 'image']);
  const [best] = json.predictions;
  expect([best.class_title, best.order]).toEqual(['red', 1]);

  const file = await fetch(`${service.base}/api/models/${id}/versions/1/model.onnx?api_key=${key}`);
  const session = await InferenceSession.create(new Uint8Array(await file.arrayBuffer()));
  const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => [200, 80, 20][at % 3] ?? 0);
  const alone = await session.run({ image: new Tensor('uint8', pixels, [1, 64, 64, 3]) });
  const scores = Array.from(alone['probabilities']?.data ?? [], Number);
  for (const [at, title] of colours.labels.entries()) {
    const ours = json.predictions.find((each: { class_title: string }) => each.class_title === title);
    expect(Math.abs(ours.score - (scores[at] ?? 0))).toBeLessThan(1e-4);
  }

  const { uid } = (await send('GET', `/api/models/${id}`)).json;
  const v2 = await send('PUT', '/predict', { model_id: uid, base64str: image.toString('base64') });
  expect(v2.json.predictions[0]).toEqual({
    class_title: 'red',
    score: best.score,
    model_id: uid,
    model_title: 'classification',
    coordinates: { xmin: 0, ymin: 0, xmax: 100, ymax: 50 },
  });
});

test('an uploaded detector answers boxes of the image, by the thresholds of the call', async () => {
  const id = await make('object_detection');
  const boxes = { format: 'xyxy', unit: 'pixels' };
  const made = await upload(id, lightOnnx(), { labels: ['light'], layout: 'rows', boxes, input: unscaled });
  expect([made.status, made.json.detail]).toEqual([201, undefined]);
  const detect = async (grey: number, query = '') =>
    (
      await send(
        'POST',
        `/predict/object_detection/?model_id=${id}${query}`,
        withImage(paint(grey, grey, grey)),
      )
    ).json.predictions;
  expect(await detect(204)).toEqual([
    {
      class_title: 'light',
      model_id: id,
      score: expect.closeTo(0.8, 3),
      coordinates: { xmin: 25, ymin: 13, xmax: 75, ymax: 38 },
    },
  ]);
  expect(await detect(51)).toEqual([]);
  expect(await detect(51, '&conf_thresh=0.1')).toHaveLength(1);
});

test('while versions are switched every call is answered by one of them', async () => {
  const id = await make('classification');
  await upload(id, colourOnnx(), colours);
  await upload(id, colourOnnx(), { ...colours, labels: ['rot', 'gruen', 'blau'] });
  let isOver = false;
  const switching = (async () => {
    for (let number = 1; !isOver; number = 3 - number) {
      expect((await send('PUT', `/api/models/${id}/version`, { number })).json.version).toBe(number);
    }
  })();
  const titles = new Set<string>();
  for (let count = 0; count < 30; count += 1) {
    const { status, json } = await recognise(id, paint(255, 0, 0));
    expect(status).toBe(200);
    titles.add(json.predictions[0].class_title);
  }
  isOver = true;
  await switching;
  for (const title of titles) expect(['red', 'rot']).toContain(title);
});

test('kill -9 during uploads and switches: what was answered is there and predicts, and no draft is left', async () => {
  const id = await make('classification');
  const [acknowledged, switched]: [number[], number[]] = [[], []];
  const working = (async () => {
    for (;;) {
      const made = await upload(id, colourOnnx(), colours, '?activate=false');
      acknowledged.push(made.json.number);
      await send('PUT', `/api/models/${id}/version`, { number: made.json.number });
      switched.push(made.json.number);
    }
  })().catch(() => undefined);
  for (let round = 0; round < 2; round += 1) {
    while (switched.length === 0) await sleep(10);
    await sleep(300 + 350 * round);
  }
  await service.kill();
  await working;
  await service.start();
  const { data } = (await send('GET', `/api/models/${id}/versions`)).json;
  const numbers: number[] = data.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(expect.arrayContaining(acknowledged));
  const { version } = (await send('GET', `/api/models/${id}`)).json;
  expect(version).toBeGreaterThanOrEqual(switched.at(-1) ?? 0);
  expect((await recognise(id, paint(0, 255, 0))).json.predictions[0].class_title).toBe('green');
  expect(readdirSync(join(service.dir, 'data', 'custom-models', 'drafts'))).toEqual([]);
  expect((await upload(id, colourOnnx(), colours)).json.number).toBe(Math.max(...numbers) + 1);
});
