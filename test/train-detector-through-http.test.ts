import { setTimeout as sleep } from 'node:timers/promises';
import { boxIou } from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './default-models.js';
import { drawBadge } from './drawn-badges.js';

/** Whatever is in it, which the test says. */
interface Json {
  readonly [name: string]: Json;
}

describe.skipIf(!(await haveDefaultModels()))('a detector trained through the front door', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1', LYNCEUS_RECOGNITION_PARTS: 'objects' });
  }, 60_000);
  afterAll(() => service?.stop());

  const send = async (method: string, path: string, body: unknown): Promise<Json> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': service.key, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === null ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return (await answer.json()) as Json;
  };
  const formOf = (name: string, bytes: Buffer) => {
    const form = new FormData();
    form.set(name, new Blob([new Uint8Array(bytes)]), 'drawing.png');
    return form;
  };

  test('finds what was labelled, by v1 and v2, and shows its worst mistakes on a page', async () => {
    const dataset = await send('POST', '/api/datasets', { name: 'badges', task: 'object_detection' });
    const at = `/api/datasets/${dataset['id']}`;
    const badge = await send('POST', `${at}/classes`, { name: 'badge' });
    for (let count = 1; count <= 20; count += 1) {
      const hasBadge = count % 8 !== 0;
      const { bytes, box } = await drawBadge(count, hasBadge);
      const added = await send('POST', `${at}/pictures`, formOf('file', bytes));
      const { xMin: x_min, yMin: y_min, xMax: x_max, yMax: y_max } = box;
      const labels = hasBadge ? [{ class_id: badge['id'], box: { x_min, y_min, x_max, y_max } }] : [];
      await send('PUT', `${at}/pictures/${added['data']?.['0']?.['picture_id']}/labels`, { labels });
    }
    const model = await send('POST', '/api/models', { name: 'Badges', task: 'object_detection' });
    const id = model['model_id'];
    const run = await send('POST', `/api/models/${id}/runs`, { dataset_id: dataset['id'] });
    let job = await send('GET', `/api/jobs/${run['id']}`, null);
    for (; job['ended_at'] === null; job = await send('GET', `/api/jobs/${run['id']}`, null))
      await sleep(200);
    expect(job).toMatchObject({
      state: 'done',
      result: { version: 1, figures: { measured_on: expect.any(String) } },
    });

    const { bytes, box } = await drawBadge(100, true);
    const v1 = await send(
      'POST',
      `/predict/object_detection/?model_id=${id}&apikey=${service.key}`,
      formOf('image', bytes),
    );
    expect(v1).toMatchObject({ status: 'ok', prediction_type: 'object_detection' });
    const v2 = await send('PUT', `/predict?api_key=${service.key}`, {
      ...{ base64str: bytes.toString('base64'), model_id: model['uid'], conf_thresh: 0.2 },
    });
    expect(v2).toMatchObject({ status: 1, model_type: 'object_detection' });
    const best = v2['predictions']?.['0'];
    expect(best).toMatchObject({ class_title: 'badge', model_id: model['uid'], model_title: 'Badges' });
    const { xmin, ymin, xmax, ymax } = best?.['coordinates'] ?? {};
    const found = { xMin: Number(xmin), yMin: Number(ymin), xMax: Number(xmax), yMax: Number(ymax) };
    expect(boxIou(found, box)).toBeGreaterThan(0.5);

    const page = await fetch(`${service.url}/api/models/${id}/versions/1/report.html`, {
      headers: { 'x-api-key': service.key },
    });
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/AP50[\s\S]*<svg/);
  }, 240_000);
});
