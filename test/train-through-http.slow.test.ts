import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crashService } from '#bench/kill/crash-service.js';
import { type Service, startService } from '#bench/service.js';
import { haveCurl, type Json, runCurl, sendByCurl } from './support/curl.js';
import { haveDefaultModels } from './support/default-models.js';
import { drawShape, shapes } from './support/drawn-shapes.js';
import { runAlone } from './support/run-alone.js';

const isHere = haveCurl() && (await haveDefaultModels());

describe.skipIf(!isHere)('a model trained over HTTP', () => {
  let dataDir: string;
  let service: Service;
  let modelId: number;
  let uid: string;
  let datasetId: number;

  const send = (method: string, path: string, body?: unknown) => sendByCurl(service, method, path, body);
  const fileForm = async (name: string, image: Promise<Buffer>) => {
    const form = new FormData();
    form.set(name, new Blob([new Uint8Array(await image)]), 'drawing.png');
    return form;
  };
  const start = async () =>
    startService({
      LYNCEUS_DATA_DIR: dataDir,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'objects',
      LYNCEUS_FIRST_KEY: firstKey,
    });
  const firstKey = 'a-key-of-the-training-test';
  const untilSo = async (id: unknown, isSo: (job: Json) => boolean) => {
    for (;;) {
      const { json } = await send('GET', `/api/jobs/${id}`);
      if (isSo(json)) return json;
      await sleep(50);
    }
  };
  const hasEnded = (job: Json) => job['ended_at'] !== null;
  const classes = async (count: number) => {
    const form = await fileForm('image', drawShape('star', count));
    const { json } = await send('POST', `/predict/image?model_id=${modelId}&apikey=${service.key}`, form);
    return json;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lynceus-training-'));
    service = await start();
    service = { ...service, key: firstKey };
    const dataset = await send('POST', '/api/datasets', { name: 'drawings', task: 'classification' });
    datasetId = Number(dataset.json['id']);
    for (const [label, shape] of shapes.entries()) {
      const form = new FormData();
      for (let count = 0; count < 10; count += 1) {
        const bytes = new Uint8Array(await drawShape(shape, label * 100 + count));
        form.append('file', new Blob([bytes]), `${shape}-${count}.png`);
      }
      const { json } = await send('POST', `/api/datasets/${datasetId}/images?label=${shape}`, form);
      expect(
        (json['data'] as unknown as { outcome: string }[]).every(({ outcome }) => outcome === 'added'),
      ).toBe(true);
    }
    const model = await send('POST', '/api/models', { name: 'Shapes', task: 'classification' });
    [modelId, uid] = [Number(model.json['model_id']), String(model.json['uid'])];
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('reports progress while it is trained, and predicts by both operations', async () => {
    const asked = await send('POST', `/api/models/${modelId}/runs`, { dataset_id: datasetId });
    expect(asked.status).toBe(202);
    const { id } = asked.json;
    const going = await untilSo(id, ({ progress }) => Number(progress?.['done']) > 3);
    expect(going['progress']).toMatchObject({ stage: 'features', total: 30, percent: expect.any(Number) });
    const ended = await untilSo(id, hasEnded);
    expect(ended).toMatchObject({ state: 'done', error: null, result: { version: 1, activated: true } });
    expect(ended['result']?.['figures']?.['balanced_accuracy']).toBeGreaterThan(0.7);

    const v1 = await classes(777);
    expect(v1).toMatchObject({ status: 'ok', model_id: String(modelId), prediction_type: 'image' });
    expect(v1['predictions']?.[0]).toMatchObject({ class_title: 'star', order: 1 });
    const image = (await drawShape('star', 777)).toString('base64');
    const v2 = await send('PUT', `/predict?api_key=${service.key}`, {
      base64str: image,
      model_id: uid,
      conf_thresh: 0,
    });
    expect(v2.json).toMatchObject({ status: 1, model_type: 'classification' });
  }, 400_000);

  test('is downloaded as one file that answers the same in ONNX Runtime alone', async () => {
    const address = `${service.url}/api/models/${modelId}/versions/1/model.onnx`;
    const file = new Uint8Array(await runCurl(['-f', '-H', `X-API-Key: ${service.key}`, address]));
    const image = await drawShape('star', 888);
    const alone = await runAlone(file, image);
    const body = { base64str: image.toString('base64'), model_id: uid, conf_thresh: 0 };
    const { json } = await send('PUT', `/predict?api_key=${service.key}`, body);
    const labels = (await send('GET', `/api/models/${modelId}/versions/1`)).json[
      'labels'
    ] as unknown as string[];
    const found = json['predictions'] as unknown as { class_title: string; score: number }[];
    for (const [index, title] of labels.entries()) {
      const ours = found.find(({ class_title }) => class_title === title)?.score ?? 0;
      expect(Math.abs(ours - (alone[index] ?? 1))).toBeLessThan(1e-4);
    }
  }, 300_000);

  test('has a report as JSON and as a page with the images in it', async () => {
    const { json } = await send('GET', `/api/models/${modelId}/versions/1/report`);
    expect(json).toMatchObject({ kind: 'classification', datasetId, images: { train: 24, heldOut: 6 } });
    const page = await fetch(`${service.url}/api/models/${modelId}/versions/1/report.html`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain('Trained on dataset drawings');
    if ((json['mistakes'] as unknown as unknown[]).length > 0)
      expect(html).toContain('data:image/jpeg;base64,');
  }, 300_000);

  test('has a second version beside the first, is compared, and switched and rolled back', async () => {
    const options = { none_of_these: true, activate: false, seed: 2 };
    const asked = await send('POST', `/api/models/${modelId}/runs`, { dataset_id: datasetId, options });
    const ended = await untilSo(asked.json['id'], hasEnded);
    expect(ended['result']).toMatchObject({ version: 2, activated: false });
    expect((await send('GET', `/api/models/${modelId}`)).json['version']).toBe(1);
    const comparison = await send('POST', `/api/models/${modelId}/comparisons`, { versions: [1, 2] });
    const compared = await untilSo(comparison.json['id'], hasEnded);
    expect(compared).toMatchObject({ state: 'done', result: { images: 6, dataset_id: datasetId } });
    for (const number of [2, 1]) {
      const { json } = await send('PUT', `/api/models/${modelId}/version`, { number });
      expect(json['version']).toBe(number);
      expect(await classes(777)).toMatchObject({ status: 'ok' });
    }
  }, 400_000);

  test('survives kill -9 amid switching with one version or the other, whole', async () => {
    const switching = Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        fetch(`${service.url}/api/models/${modelId}/version`, {
          method: 'PUT',
          headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
          body: JSON.stringify({ number: 1 + (index % 2) }),
        }),
      ),
    );
    await sleep(15);
    await crashService(service, 'everything');
    await switching;
    await service.stop();
    service = { ...(await start()), key: firstKey };
    expect([1, 2]).toContain((await send('GET', `/api/models/${modelId}`)).json['version']);
    expect(await classes(777)).toMatchObject({ status: 'ok' });
    const folders = (await readdir(join(dataDir, 'custom-models'))).filter((name) => name !== 'drafts');
    expect(folders).toHaveLength(2);
    expect(await readdir(join(dataDir, 'custom-models', 'drafts'))).toEqual([]);
  }, 300_000);

  test('goes with all that belongs to it, the features of its images too', async () => {
    expect(await readdir(join(dataDir, 'features'))).toHaveLength(1);
    const { json } = await send('DELETE', `/api/models/${modelId}`);
    expect(json).toMatchObject({ versions: 2 });
    expect(await readdir(join(dataDir, 'features'))).toEqual([]);
    expect(await readdir(join(dataDir, 'custom-models'))).toEqual(['drafts']);
    expect(await classes(777)).toMatchObject({ error: { code: expect.stringMatching(/model|parameters/) } });
  }, 300_000);
});
