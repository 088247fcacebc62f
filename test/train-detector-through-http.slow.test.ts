import { boxIou } from '@lynceus/engine';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { lightOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { followByCurl, haveCurl, type Json, runCurl, sendByCurl } from './support/curl.js';
import { haveDefaultModels } from './support/default-models.js';
import { drawBadge } from './support/drawn-badges.js';

const isHere = haveCurl() && (await haveDefaultModels());

describe.skipIf(!isHere)('a detector trained over HTTP with curl alone', () => {
  let service: Service;
  let at: string;
  let datasetId: Json | undefined;
  let uid: Json | undefined;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1', LYNCEUS_RECOGNITION_PARTS: 'objects' });
  }, 300_000);
  afterAll(() => service?.stop());

  const send = async (method: string, path: string, body: unknown): Promise<Json> =>
    (await sendByCurl(service, method, path, body)).json;
  const formOf = (name: string, bytes: Buffer) => {
    const form = new FormData();
    form.append(name, new Blob([new Uint8Array(bytes)]), 'drawing.png');
    return form;
  };
  const detect = (bytes: Buffer, conf_thresh: number) =>
    send('PUT', `/predict?api_key=${service.key}`, {
      base64str: bytes.toString('base64'),
      model_id: uid,
      conf_thresh,
    });
  const ended = async ({ id }: Json) => (await followByCurl(service, id)).at(-1);

  test('finds what was labelled, by v1 and v2, and shows its worst mistakes on a page', async () => {
    const dataset = await send('POST', '/api/datasets', { name: 'badges', task: 'object_detection' });
    datasetId = dataset['id'];
    const badge = await send('POST', `/api/datasets/${datasetId}/classes`, { name: 'badge' });
    for (let count = 1; count <= 12; count += 1) {
      const hasBadge = count % 8 !== 0;
      const { bytes, box } = await drawBadge(count, hasBadge);
      const images = `/api/datasets/${datasetId}/images`;
      const added = await send('POST', images, formOf('file', bytes));
      const { xMin: x_min, yMin: y_min, xMax: x_max, yMax: y_max } = box;
      const labels = hasBadge ? [{ class_id: badge['id'], box: { x_min, y_min, x_max, y_max } }] : [];
      await send('PUT', `${images}/${added['data']?.['0']?.['image_id']}/labels`, { labels });
    }
    const model = await send('POST', '/api/models', { name: 'Badges', task: 'object_detection' });
    const id = model['model_id'];
    [at, uid] = [`/api/models/${id}`, model['uid']];
    const run = await send('POST', `${at}/runs`, { dataset_id: datasetId });
    const events = await followByCurl(service, run['id']);
    expect(events.at(-1)).toMatchObject({
      state: 'done',
      result: { version: 1, figures: { measured_on: expect.any(String) } },
    });
    expect(events.map(({ progress }) => progress?.['stage'])).toContain('features');

    const { bytes, box } = await drawBadge(100, true);
    const v1 = await send(
      'POST',
      `/predict/object_detection/?model_id=${id}&apikey=${service.key}`,
      formOf('image', bytes),
    );
    expect(v1).toMatchObject({ status: 'ok', prediction_type: 'object_detection' });
    const v2 = await detect(bytes, 0.2);
    expect(v2).toMatchObject({ status: 1, model_type: 'object_detection' });
    const best = v2['predictions']?.['0'];
    expect(best).toMatchObject({ class_title: 'badge', model_id: uid, model_title: 'Badges' });
    const { xmin, ymin, xmax, ymax } = best?.['coordinates'] ?? {};
    const found = { xMin: Number(xmin), yMin: Number(ymin), xMax: Number(xmax), yMax: Number(ymax) };
    expect(boxIou(found, box)).toBeGreaterThan(0.5);

    const auth = `X-API-Key: ${service.key}`;
    const page = await runCurl(['-f', '-H', auth, `${service.url}${at}/versions/1/report.html`]);
    expect(page.toString()).toMatch(/AP50[\s\S]*<svg/);
  }, 600_000);

  test('is downloaded as one file that finds the same in ONNX Runtime alone', async () => {
    const auth = `X-API-Key: ${service.key}`;
    const file = await runCurl(['-f', '-H', auth, `${service.url}${at}/versions/1/model.onnx`]);
    const { bytes } = await drawBadge(101, true);
    // As its metadata say.
    const data = await sharp(bytes).resize(300, 300, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
    const session = await InferenceSession.create(new Uint8Array(file));
    const alone = await session.run({
      image: new Tensor('uint8', new Uint8Array(data), [1, 300, 300, 3]),
      score_threshold: new Tensor('float32', Float32Array.of(0.05), [1]),
      iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
    });
    await session.release();
    const scores = Array.from(alone['scores']?.data ?? [], Number).sort((a, b) => b - a);
    const { predictions } = await detect(bytes, 0.05);
    const ours = (predictions as unknown as { score: number }[]).map(({ score }) => score);
    expect(ours.length).toBeGreaterThan(0);
    expect(ours).toHaveLength(Math.min(100, scores.length));
    for (const [index, score] of ours.entries())
      expect(Math.abs(score - (scores[index] ?? 1))).toBeLessThan(1e-4);
  }, 300_000);

  test('is compared with an uploaded model, on the same held-out images', async () => {
    const form = formOf('file', lightOnnx());
    const boxes = { format: 'xyxy', unit: 'pixels' };
    const input = { fit: 'squash', mean: [0], std: [255] };
    form.append('options', JSON.stringify({ labels: ['Badge'], layout: 'rows', boxes, input }));
    expect(await send('POST', `${at}/versions?activate=false`, form)).toMatchObject({ number: 2 });

    const compare = async (versions: readonly number[]) =>
      ended(await send('POST', `${at}/comparisons`, { versions }));
    const share = expect.toSatisfy((figure: number) => figure >= 0 && figure <= 1);
    const figures = { ap50: share, ap: share, precision: share, recall: share, missing_classes: [] };
    const compared = await compare([2, 1]);
    expect(compared).toMatchObject({
      state: 'done',
      result: {
        task: 'object_detection',
        dataset_id: datasetId,
        versions: [
          { number: 2, ap50: expect.any(Number) },
          { number: 1, ...figures },
        ],
        ap50_difference: { interval: { low: expect.any(Number), high: expect.any(Number) } },
      },
    });
    const { versions, ap50_difference: difference } = compared?.['result'] ?? {};
    // One that always says that the thing is in the middle is no match.
    expect(Number(versions?.['0']?.['ap50'])).toBeLessThan(Number(versions?.['1']?.['ap50']));
    expect(Number(difference?.['value'])).toBeGreaterThan(0);
  }, 600_000);
});
