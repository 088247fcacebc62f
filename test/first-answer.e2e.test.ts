import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample, signBox } from './support/sample.js';

describe.skipIf(!(await haveDefaultModels()))('an image in, recognised', () => {
  let service: Service;
  let client: LynceusClient;
  beforeAll(async () => {
    service = await startService();
    client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
  });
  afterAll(() => service.stop());

  const expectSign = (box: Partial<typeof signBox> = {}) => {
    for (const side of ['xmin', 'ymin', 'xmax', 'ymax'] as const)
      expect(Math.abs((box[side] ?? 0) - signBox[side])).toBeLessThan(8);
  };

  test.each(['coco-fast', 'coco-accurate'])(
    'v2 finds the stop sign where it was drawn, with %s',
    async (modelId) => {
      const answer = await client.detect(sample, { modelId });
      expect(answer).toMatchObject({ status: 1, model_type: 'object_detection' });
      expect(answer.predictions).toHaveLength(1);
      const [found] = answer.predictions;
      expect(found).toMatchObject({ class_title: 'stop sign', model_id: modelId });
      expect(found?.score).toBeGreaterThan(0.9);
      expectSign(found?.coordinates);
    },
  );

  test('v2 answers a classifier by its classes', async () => {
    const answer = await client.detect(sample, { modelId: 'imagenet' });
    expect(answer.predictions[0]).toMatchObject({ class_title: 'street sign' });
    expect(answer.predictions[0]?.coordinates).toEqual({ xmin: 0, ymin: 0, xmax: 640, ymax: 480 });
  });

  test('v2 heeds conf_thresh: what is above it is left out, what is above a lower one comes in', async () => {
    expect((await client.detect(sample, { confThresh: 1 })).predictions).toEqual([]);
    const all = (await client.detect(sample, { confThresh: 0 })).predictions;
    expect(all.length).toBeGreaterThan(5);
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('v1 names the image, its objects and what each looks like', async () => {
    const body = await client.recognise(sample);
    expect(body.status).toBe('ok');
    expect(body.predicttype).toBe('dense');
    const titles = body.predictions.map(({ class_title }) => class_title);
    expect(titles.slice(0, 2).sort()).toEqual(['stop sign', 'street sign']);
    expect(body.predictions[0]).toMatchObject({ order: '1', parent_object: 'stop sign' });
    expect(body.objects.summary).toEqual([{ count: '1', object_title: 'stop sign' }]);
    const [object] = body.objects.predictions;
    const [xmin = 0, xmax = 0, ymin = 0, ymax = 0] = (object?.coordinates ?? '').split(',').map(Number);
    expectSign({ xmin, xmax, ymin, ymax });
    expect(object?.sub_predictions[0]).toMatchObject({ order: 1, parent_object: 'stop sign' });
  });

  test('v1 custom object detection without a model uses the default detector', async () => {
    const { predictions } = await client.detectObjects(sample);
    expect(predictions[0]).toMatchObject({ class_title: 'stop sign', model_id: 101 });
    expectSign(predictions[0]?.coordinates);
  });

  test('a small object in a large image is found in slices, and not without them', async () => {
    const small = await sharp(sample).resize({ width: 240 }).toBuffer();
    const background = '#6f8f5f';
    const large = await sharp({ create: { width: 4000, height: 3000, channels: 3, background } })
      .composite([{ input: small, left: 1500, top: 2300 }])
      .jpeg({ quality: 92 })
      .toBuffer();
    const signs = async (detail: 'normal' | 'high') =>
      (await client.detectObjects(large, { detail })).predictions.filter(
        ({ class_title }) => class_title === 'stop sign',
      );
    expect(await signs('normal')).toEqual([]);
    const found = await signs('high');
    expect(found).toHaveLength(1);
    const { xmin = 0, ymin = 0 } = found[0]?.coordinates ?? {};
    expect(Math.abs(xmin - (1500 + 0.375 * signBox.xmin))).toBeLessThan(20);
    expect(Math.abs(ymin - (2300 + 0.375 * signBox.ymin))).toBeLessThan(20);
  });

  test('every part of general recognition can be left out', async () => {
    const body = await client.recognise(sample, { parts: ['objects'] });
    expect(body.predictions).toEqual([]);
    expect(body.objects.predictions).toHaveLength(1);
    expect(body.objects.predictions[0]?.sub_predictions).toEqual([]);
    expect(body.predicttype).toBe('basic');
  });
});
