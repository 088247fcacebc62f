import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { createFindings } from '../../training/datasets/findings.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await insertJobs();
  await insertImages();
  await insertVideos();
});
afterAll(() => service.stop());

const perPage = 100;

/** Imports that found as much as a report may hold. */
async function insertJobs() {
  const list = createFindings();
  for (let at = 0; at < 1000; at += 1) {
    list.add('box-outside', 'the box lies outside of the image, which has 640 x 480 pixels', {
      file: `images/train/image-${at}.jpg`,
      labels: 1,
    });
  }
  const { findings, kinds, counts } = list.report();
  const result = JSON.stringify({ added: 1000, counts, kinds, findings, left_out: 0, findings_file: null });
  const { query, write } = service.database;
  for (let at = 0; at < perPage; at += 1) {
    await write([
      query.insertInto('job').values({
        ...{ id: `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`, account_id: service.accountId },
        ...{ kind: 'dataset-import', subject: '1001', payload: '{}', state: 'done', result },
        ...{ due_at: 0, created_at: at, started_at: at, ended_at: at },
      }),
    ]);
  }
}

/** Images with as many labels as one may have. */
async function insertImages() {
  const { query, write } = service.database;
  const account_id = service.accountId;
  await write([
    query.insertInto('dataset').values({
      ...{ account_id, id: 1001, uid: 'dataset-of-many-labels', name: 'many labels' },
      ...{ task: 'object_detection', multi_label: 0, created_at: 0, deleted_at: null },
    }),
    query.insertInto('dataset_class').values({ account_id, id: 1, dataset_id: 1001, name: 'cat' }),
  ]);
  for (let image_id = 1; image_id <= perPage; image_id += 1) {
    await write([
      query.insertInto('dataset_image').values({
        ...{ account_id, id: image_id, dataset_id: 1001, file_name: 'a.jpg', search_text: 'a.jpg' },
        ...{ blob_id: `blob-${image_id}`, image_kind: 'jpeg', image_bytes: 1, image_sha256: `${image_id}` },
        ...{
          fingerprint: '',
          width: 4000,
          height: 3000,
          labelled: 1,
          partly_labelled: 0,
          labels_revision: 0,
        },
        ...{ split: null, created_at: 0 },
      }),
      query.insertInto('dataset_label').values(
        Array.from({ length: 300 }, (_, position) => ({
          ...{ account_id, image_id, position, class_id: 1 },
          ...{ x_min: position + 0.123456, y_min: 1.654321, x_max: position + 99.5, y_max: 77.777777 },
        })),
      ),
    ]);
  }
}

/** Videos that look for as many classes as one may. */
async function insertVideos() {
  const { query, write } = service.database;
  const classes = Array.from({ length: 200 }, (_, at) => ({
    label: `class ${at}`,
    minScore: 0.5,
    minArea: 0,
  }));
  const settings = JSON.stringify({ classes });
  for (let id = 1; id <= perPage; id += 1) {
    await write([
      query.insertInto('video').values({
        ...{ account_id: service.accountId, id, uid: `video-${id}`, name: 'a', settings, created_at: 0 },
        ...{ address: null, sealed_secrets: null, info: null, file_id: null, timeline_id: null },
        ...{ expires_at: null, deleted_at: null },
      }),
    ]);
  }
}

test.each([
  ['jobs whose reports have a thousand findings', '/api/jobs'],
  ['images with three hundred labels', '/api/datasets/1001/images'],
  ['videos that look for two hundred classes', '/api/videos'],
])('a page of %s is answered without holding up others', async (_name, path) => {
  const headers = { 'x-api-key': service.key };
  const { most, all } = await mostCpuBetweenTurns(async () => {
    const response = await fetch(`${service.base}${path}?limit=${perPage}`, { headers });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });
  // A share of the work, however long this machine takes for all of it.
  expect(most).toBeLessThan(Math.max(20, all / 6));
});

test('a job is listed with the counts of its result, and read with all findings', async () => {
  const get = async (path: string) => (await callApi(service, path, { key: service.key })).json;
  const { data, next_cursor } = await get('/api/jobs?limit=1');
  const { findings, ...rest } = (await get(`/api/jobs/${data[0].id}`)).result;
  expect(findings).toHaveLength(1000);
  expect(rest).toMatchObject({ counts: { 'box-outside': 1000 }, left_out: 0 });
  expect(data).toEqual([expect.objectContaining({ state: 'done', result: rest })]);
  expect((await get(`/api/jobs?limit=100&cursor=${next_cursor}`)).data).toHaveLength(perPage - 1);
});
