import { afterAll, beforeAll, expect, test } from 'vitest';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let api: ReturnType<typeof datasetCalls>;
beforeAll(async () => {
  service = await startTestService();
  api = datasetCalls(service);
});
afterAll(() => service.stop());

async function datasetOf(task: string, ...classes: readonly string[]) {
  const id = await api.make({ task });
  const ids = [];
  for (const name of classes) ids.push((await api.post(`/api/datasets/${id}/classes`, { name })).json.id);
  const sent = await api.send(`/api/datasets/${id}/images`, [{ name: `${task}${id}.jpg` }]);
  const path = `/api/datasets/${id}/images/${sent.json.data[0].image_id}`;
  service.runner.script = async () => found;
  return { ids, path };
}

test('boxes of the detector come as labels of the dataset, within the image, the rest beside them', async () => {
  const { ids, path } = await datasetOf('object_detection', 'Dog');
  const { status, json } = await api.post(`${path}/suggestions`, {});
  expect(status).toBe(200);
  expect(json).toEqual({
    model_id: 'coco-accurate',
    labels: [
      { class_id: ids[0], score: 1, box: { x_min: 10.4, y_min: 20.6, x_max: 110.2, y_max: 220.5 } },
      { class_id: ids[0], score: 0.45, box: { x_min: 5, y_min: 6, x_max: 7, y_max: 8 } },
    ],
    others: [{ title: 'cat', score: 0.5, box: { x_min: 0, y_min: 0, x_max: 640, y_max: 480 } }],
  });
  const labels = json.labels.map(({ class_id, box }: { class_id: number; box: object }) => ({
    class_id,
    box,
  }));
  const before = (await api.get(path)).json.labels;
  expect(before).toBeNull();
  expect((await api.put(`${path}/labels`, { labels })).status).toBe(200);
});

test('classes of the classifier have no box', async () => {
  const { ids, path } = await datasetOf('classification', 'malamute');
  const { json } = await api.post(`${path}/suggestions`, {});
  expect(json).toMatchObject({
    model_id: 'imagenet',
    labels: [{ class_id: ids[0], box: null, score: 0.75 }],
  });
  expect(json.others).toEqual([{ title: 'café', box: null, score: 1e-7 }]);
});

test('a suggestion counts no call and keeps no analysis', async () => {
  const { path } = await datasetOf('classification', 'malamute');
  const before = await service.callsUsed();
  await api.post(`${path}/suggestions`, {});
  expect(await service.callsUsed()).toBe(before);
  expect((await api.get('/api/files')).json.data).toEqual([]);
});

test('a model of another task, and one that there is not, are refused', async () => {
  const { path } = await datasetOf('classification', 'malamute');
  const wrong = await api.post(`${path}/suggestions`, { model_id: 101 });
  expect([wrong.status, wrong.json.detail]).toEqual([400, expect.stringContaining('object_detection')]);
  const none = await api.post(`${path}/suggestions`, { model_id: 'nobodys' });
  expect([none.status, none.json.code]).toEqual([400, 'invalid_model']);
});
