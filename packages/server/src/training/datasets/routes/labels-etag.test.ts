import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { datasetCalls } from './fixtures/dataset-calls.js';
import { expectedRevisions } from './labels-etag.js';

describe('labels of two users working on one image', () => {
  let service: TestService;
  let api: ReturnType<typeof datasetCalls>;
  let dataset: string;
  let image: string;
  let cat: number;
  let dog: number;
  beforeAll(async () => {
    service = await startTestService();
    api = datasetCalls(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const id = await api.make({ multi_label: true });
    dataset = `/api/datasets/${id}`;
    const [imageId] = await api.fill(id, 'cat', 1);
    image = `${dataset}/images/${imageId}`;
    cat = (await api.get(dataset)).json.classes[0].id;
    dog = (await api.post(`${dataset}/classes`, { name: 'dog' })).json.id;
  });

  const set = (classes: readonly number[] | null, ifMatch?: string) =>
    callApi(service, `${image}/labels`, {
      method: 'PUT',
      key: service.key,
      body: { labels: classes?.map((class_id) => ({ class_id })) ?? null },
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    });
  const read = async () => {
    const { json, headers } = await api.get(image);
    expect(headers['etag']).toBe(`"${json.labels_revision}"`);
    return { etag: String(headers['etag']), labels: json.labels };
  };
  const only = (id: number) => [{ class_id: id, box: null }];

  test('the ETag read is the key to one change, and the change answers the next', async () => {
    const { etag } = await read();
    const changed = await set([dog], etag);
    expect([changed.status, changed.json.labels]).toEqual([200, only(dog)]);
    expect(changed.headers['etag']).toBe((await read()).etag);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  test('the later of two gets 412 with the labels as they are, and changes nothing', async () => {
    const { etag } = await read();
    await set([dog], etag);
    const refused = await set([cat, dog], etag);
    expect([refused.status, refused.json.code, refused.json.current.labels]).toEqual([
      412,
      'labels_changed',
      only(dog),
    ]);
    const now = await read();
    expect(now.labels).toEqual(only(dog));
    expect(refused.headers['etag']).toBe(now.etag);
    expect((await set([cat, dog], `"${refused.json.current.labels_revision}"`)).status).toBe(200);
  });

  test('of twenty at once exactly one is taken, whole', async () => {
    const { etag } = await read();
    const wanted = Array.from({ length: 20 }, (_, index) => [[cat], [dog], [cat, dog], []][index % 4] ?? []);
    const answers = await Promise.all(wanted.map((classes) => set(classes, etag)));
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    const won = answers.findIndex(({ status }) => status === 200);
    expect((await read()).labels).toEqual(wanted[won]?.map((class_id) => ({ class_id, box: null })));
  });

  test('a class that is deleted or merged away changes the labels too', async () => {
    const before = await read();
    await api.post(`${dataset}/classes/${cat}/merge`, { into: dog });
    expect((await set([dog], before.etag)).status).toBe(412);
    const merged = await read();
    expect(merged.labels).toEqual(only(dog));
    await api.remove(`${dataset}/classes/${dog}?force=true`);
    expect((await set([], merged.etag)).status).toBe(412);
    expect((await read()).labels).toBeNull();
  });

  test('without a condition, or with *, the last one wins', async () => {
    expect((await set([dog])).status).toBe(200);
    expect((await set([cat], '*')).status).toBe(200);
    expect((await set(null)).json.labels).toBeNull();
  });

  test('a condition that cannot be read is refused, and one of something else does not hold', async () => {
    expect((await set([dog], 'abc')).status).toBe(400);
    for (const other of ['"abc"', `W/${(await read()).etag}`, '"1"']) {
      expect((await set([dog], other)).status, other).toBe(412);
    }
    expect((await set([dog], `"1", ${(await read()).etag}`)).status).toBe(200);
  });
});

test('an If-Match names revisions, any, or none of ours', () => {
  expect(expectedRevisions(undefined)).toBeUndefined();
  expect(expectedRevisions(' * ')).toBeUndefined();
  expect(expectedRevisions('"12", W/"13", "x","14"')).toEqual([12, 14]);
  expect(() => expectedRevisions('')).toThrow('If-Match');
});
