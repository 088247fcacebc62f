import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import type { V1Answer, V2Answer } from './answers.js';
import { haveDefaultModels } from './default-models.js';
import { sample, signBox, upload } from './sample.js';

describe.skipIf(!(await haveDefaultModels()))('a picture in, recognised', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const v2 = async (body: object) => {
    const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: JSON.stringify({ base64str: sample.toString('base64'), ...body }),
    });
    return { http: answer.status, ...((await answer.json()) as V2Answer) };
  };

  const expectSign = (box: Readonly<Record<string, number | undefined>> = {}) => {
    for (const [side, value] of Object.entries(signBox))
      expect(Math.abs((box[side] ?? 0) - value)).toBeLessThan(8);
  };

  test.each(['coco-fast', 'coco-accurate'])(
    'v2 finds the stop sign where it was drawn, with %s',
    async (model_id) => {
      const answer = await v2({ model_id });
      expect(answer).toMatchObject({ http: 200, status: 1, model_type: 'object_detection' });
      expect(answer.predictions).toHaveLength(1);
      const [found] = answer.predictions;
      expect(found).toMatchObject({ class_title: 'stop sign', model_id });
      expect(found?.score).toBeGreaterThan(0.9);
      expectSign(found?.coordinates);
    },
  );

  test('v2 answers a classifier by its classes', async () => {
    const answer = await v2({ model_id: 'imagenet' });
    expect(answer.predictions[0]).toMatchObject({ class_title: 'street sign' });
    expect(answer.predictions[0]?.coordinates).toEqual({ xmin: 0, ymin: 0, xmax: 640, ymax: 480 });
  });

  test('v2 heeds conf_thresh: what is above it is left out, what is above a lower one comes in', async () => {
    expect((await v2({ conf_thresh: 1 })).predictions).toEqual([]);
    const all = (await v2({ conf_thresh: 0 })).predictions;
    expect(all.length).toBeGreaterThan(5);
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('v1 names the picture, its objects and what each looks like', async () => {
    const answer = await fetch(`${service.url}/predict/image?apikey=${service.key}`, {
      method: 'POST',
      body: upload(sample),
    });
    const body = (await answer.json()) as V1Answer;
    expect(body.status).toBe('ok');
    expect(body.predicttype).toBe('dense');
    const titles = body.predictions.map(({ class_title }) => class_title);
    expect(titles.slice(0, 2).sort()).toEqual(['stop sign', 'street sign']);
    expect(body.predictions[0]).toMatchObject({ order: '1', parent_object: 'stop sign' });
    expect(body.objects.summary).toEqual([{ count: '1', object_title: 'stop sign' }]);
    const [object] = body.objects.predictions;
    const [xmin, xmax, ymin, ymax] = (object?.coordinates ?? '').split(',').map(Number);
    expectSign({ xmin, xmax, ymin, ymax });
    expect(object?.sub_predictions[0]).toMatchObject({ order: 1, parent_object: 'stop sign' });
  });

  test('v1 custom object detection without a model uses the default detector', async () => {
    const answer = await fetch(`${service.url}/predict/object_detection/?apikey=${service.key}`, {
      method: 'POST',
      body: upload(sample),
    });
    const { predictions } = (await answer.json()) as V2Answer;
    expect(predictions[0]).toMatchObject({ class_title: 'stop sign', model_id: 101 });
    expectSign(predictions[0]?.coordinates);
  });

  test('every part of general recognition can be left out', async () => {
    const answer = await fetch(`${service.url}/predict/image?apikey=${service.key}&parts=objects`, {
      method: 'POST',
      body: upload(sample),
    });
    const body = (await answer.json()) as V1Answer;
    expect(body.predictions).toEqual([]);
    expect(body.objects.predictions).toHaveLength(1);
    expect(body.objects.predictions[0]?.sub_predictions).toEqual([]);
    expect(body.predicttype).toBe('basic');
  });
});
