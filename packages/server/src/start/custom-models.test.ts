import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colourOnnx, lightOnnx } from '../models/fixtures/tiny-onnx.js';

/** The whole service with real inference processes, and no model but those that are uploaded to it. */
const entry = fileURLToPath(new URL('./service-without-models.js', import.meta.url));
const key = 'lyn_a-key-for-the-tests-of-models-alone';

let dir: string;
let child: ChildProcess;
let base: string;

async function start(): Promise<void> {
  child = spawn(process.execPath, [entry], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      LYNCEUS_PORT: '0',
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_MODELS_DIR: join(dir, 'models'),
      LYNCEUS_SPOOL_DIR: join(dir, 'spool'),
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_FIRST_KEY: key,
    },
  });
  let told = '';
  for await (const chunk of child.stderr ?? []) {
    told += chunk;
    const found = /ready at (\S+)[\s\S]*curl/.exec(told);
    if (!found?.[1]) continue;
    base = found[1];
    return;
  }
  throw new Error(`the service ended before it was ready: ${told}`);
}

async function kill(): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-custom-'));
  await start();
});
afterAll(async () => {
  if (child.exitCode === null) await kill();
  rmSync(dir, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object) {
  const isForm = body instanceof FormData;
  const answer = await fetch(base + path, {
    method,
    headers: { 'x-api-key': key, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}
const make = async (task: string): Promise<number> =>
  (await send('POST', '/api/models', { name: task, task })).json.model_id;
function upload(id: number, file: Buffer, told: object, query = '') {
  const form = new FormData();
  form.set('told', JSON.stringify(told));
  form.set('file', new Blob([new Uint8Array(file)]), 'net.onnx');
  return send('POST', `/api/models/${id}/versions${query}`, form);
}
const unscaled = { fit: 'squash', mean: [0], std: [255] };
const colours = { labels: ['red', 'green', 'blue'], input: unscaled };

/** A BMP of one colour, 100 x 50. */
function paint(red: number, green: number, blue: number): Buffer {
  const bmp = Buffer.alloc(54 + 300 * 50);
  bmp.write('BM');
  for (const [at, number] of [
    [2, bmp.length],
    [10, 54],
    [14, 40],
    [18, 100],
    [22, 50],
  ] as const) {
    bmp.writeUInt32LE(number, at);
  }
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  for (let at = 54; at < bmp.length; at += 3) bmp.set([blue, green, red], at);
  return bmp;
}
const withImage = (picture: Buffer) => {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(picture)]), 'a.bmp');
  return form;
};
const recognise = (id: number | string, picture: Buffer) =>
  send('POST', `/predict/image?model_id=${id}`, withImage(picture));

test('an uploaded classifier answers in v1 and v2 as its downloaded file does in ONNX Runtime alone', async () => {
  const id = await make('classification');
  const made = await upload(id, colourOnnx(), colours);
  expect([made.status, made.json.labels]).toEqual([201, ['red', 'green', 'blue']]);
  const picture = paint(200, 80, 20);
  const { status, json } = await recognise(id, picture);
  expect([status, json.model_id, json.prediction_type]).toEqual([200, String(id), 'image']);
  const [best] = json.predictions;
  expect([best.class_title, best.order]).toEqual(['red', 1]);

  const file = await fetch(`${base}/api/models/${id}/versions/1/model.onnx?api_key=${key}`);
  const session = await InferenceSession.create(new Uint8Array(await file.arrayBuffer()));
  const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => [200, 80, 20][at % 3] ?? 0);
  const alone = await session.run({ image: new Tensor('uint8', pixels, [1, 64, 64, 3]) });
  const scores = Array.from(alone['probabilities']?.data ?? [], Number);
  for (const [at, title] of colours.labels.entries()) {
    const ours = json.predictions.find((each: { class_title: string }) => each.class_title === title);
    expect(Math.abs(ours.score - (scores[at] ?? 0))).toBeLessThan(1e-4);
  }

  const { uid } = (await send('GET', `/api/models/${id}`)).json;
  const v2 = await send('PUT', '/predict', { model_id: uid, base64str: picture.toString('base64') });
  expect(v2.json.predictions[0]).toEqual({
    ...{ class_title: 'red', score: best.score, model_id: uid, model_title: 'classification' },
    coordinates: { xmin: 0, ymin: 0, xmax: 100, ymax: 50 },
  });
});

test('an uploaded detector answers boxes of the picture, by the thresholds of the call', async () => {
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
      ...{ class_title: 'light', model_id: id, score: expect.closeTo(0.8, 3) },
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
  await kill();
  await working;
  await start();
  const { data } = (await send('GET', `/api/models/${id}/versions`)).json;
  const numbers: number[] = data.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(expect.arrayContaining(acknowledged));
  const { version } = (await send('GET', `/api/models/${id}`)).json;
  expect(version).toBeGreaterThanOrEqual(switched.at(-1) ?? 0);
  expect((await recognise(id, paint(0, 255, 0))).json.predictions[0].class_title).toBe('green');
  expect(readdirSync(join(dir, 'data', 'custom-models', 'drafts'))).toEqual([]);
  expect((await upload(id, colourOnnx(), colours)).json.number).toBe(Math.max(...numbers) + 1);
});
