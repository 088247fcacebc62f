import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../../http/fixtures/bodies.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let api: ReturnType<typeof datasetCalls>;
let id: number;
let at: string;
beforeAll(async () => {
  service = await startTestService({ maxImageBytes: 100_000 });
  api = datasetCalls(service);
});
beforeEach(async () => {
  id = await api.make();
  at = `/api/datasets/${id}`;
});
afterEach(async () => {
  expect(await service.filesInSpool()).toEqual([]);
});
afterAll(async () => {
  expect(await service.callsUsed()).toBe(0);
  await service.stop();
});

const classesOf = async (path: string) =>
  Object.fromEntries(
    (await api.get(path)).json.classes.map((each: { name: string }) => [each.name, each]),
  ) as Record<string, { id: number; images: number; labels: number; held_out: number }>;

describe('a dataset', () => {
  test('is made, listed, renamed, read with its counts, and deleted with a receipt', async () => {
    const made = await api.post('/api/datasets', { name: ' cells ', task: 'object_detection' });
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.any(Number),
        uid: expect.any(String),
        name: 'cells',
        task: 'object_detection',
        multi_label: false,
        created_at: expect.any(String),
      },
    ]);
    const path = `/api/datasets/${made.json.id}`;
    expect((await api.get('/api/datasets?limit=1')).json.data).toEqual([made.json]);
    expect((await api.patch(path, { name: 'blood' })).json).toEqual({ ...made.json, name: 'blood' });
    const { json } = await api.send(`${path}/images`, [{ name: 'a.jpg' }, { name: 'b.jpg' }]);
    const added = json.data.map((each: { image_id: number }) => each.image_id);
    const class_id = (await api.post(`${path}/classes`, { name: 'red' })).json.id;
    const box = { x_min: 10, y_min: 10, x_max: 50, y_max: 50 };
    await api.put(`${path}/images/${added[0]}/labels`, {
      labels: [
        { class_id, box },
        { class_id, box },
      ],
    });
    expect((await api.get(path)).json).toMatchObject({
      name: 'blood',
      images: 2,
      labelled: 1,
      train: 0,
      held_out: 0,
      classes: [{ id: class_id, name: 'red', images: 1, labels: 2, held_out: 0 }],
    });
    expect((await api.remove(path)).json).toEqual({
      images: 2,
      labels: 2,
      classes: 1,
      image_bytes: expect.any(Number),
    });
    expect((await api.get(path)).status).toBe(404);
    expect((await api.remove(path)).status).toBe(404);
  });

  test.each([
    [{ name: 'x', task: 'faces' }],
    [{ name: '  ', task: 'classification' }],
    [{ name: 'x', task: 'object_detection', multi_label: true }],
    [{ name: 'x', task: 'classification', kind: 1 }],
  ])('is not made of %j', async (body) => {
    const { status, json } = await api.post('/api/datasets', body);
    expect([status, json.code]).toEqual([400, 'wrong_parameters']);
  });
});

describe('images that are added', () => {
  test('have a verdict each: added, a duplicate, nearly one, too large', async () => {
    const content = imageBytes(3000);
    const answer = await api.send(`${at}/images`, [
      { name: 'one.jpg', content },
      { name: 'one-b.jpg', looksLike: 'one.jpg-b' },
      { name: 'two.jpg' },
      { name: 'large.jpg', content: imageBytes(100_001) },
      { name: 'again.jpg', content },
    ]);
    const none = { near_duplicate_of: null, problem: null, message: null };
    const [first, near, last] = answer.json.data;
    expect([answer.status, answer.json.data]).toEqual([
      200,
      [
        { ...none, file: 'one.jpg', outcome: 'added', image_id: expect.any(Number) },
        {
          ...none,
          file: 'one-b.jpg',
          outcome: 'added',
          image_id: near.image_id,
          near_duplicate_of: first.image_id,
        },
        { ...none, file: 'two.jpg', outcome: 'added', image_id: last.image_id },
        {
          ...none,
          file: 'large.jpg',
          outcome: 'refused',
          image_id: null,
          problem: 'too-large',
          message: 'the file is larger than 100000 bytes',
        },
        { ...none, file: 'again.jpg', outcome: 'duplicate', image_id: first.image_id },
      ],
    ]);
    expect((await api.get(at)).json).toMatchObject({ images: 3, labelled: 0 });
    const file = await fetch(`${service.base}${at}/images/${first.image_id}/content`, {
      headers: { 'x-api-key': service.key },
    });
    expect(file.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  });

  test('show what the label before them says; a duplicate without labels gets them', async () => {
    const content = imageBytes(4000);
    await api.send(`${at}/images`, [{ name: 'a.jpg', content }]);
    await api.send(`${at}/images`, [{ name: 'a.jpg', content }, { name: 'b.jpg' }], { label: 'cat' });
    await api.send(`${at}/images?label=dog`, [{ name: 'c.jpg' }]);
    expect(await classesOf(at)).toMatchObject({ cat: { images: 2 }, dog: { images: 1 } });
  });

  test('with a label before them that cannot be one are refused, and the others are added', async () => {
    const label = 'x'.repeat(201);
    const file = (name: string) => ({ name: 'file', fileName: name, content: imageBytes(5000) });
    const form = multipart([file('a.jpg'), { name: 'label', content: label }, file('b.jpg')]);
    const { status, json } = await callApi(service, `${at}/images`, { method: 'POST', ...form });
    expect([status, json.data]).toEqual([
      200,
      [
        expect.objectContaining({ file: 'a.jpg', outcome: 'added' }),
        expect.objectContaining({ file: 'b.jpg', outcome: 'refused', problem: 'bad-label' }),
      ],
    ]);
    expect(json.data[1].message).toMatch(/^label must have 1 to 200/);
  });

  test('come by address too, with a verdict each', async () => {
    const remote = `http://127.0.0.1:${service.port}/livez`;
    const { status, json } = await api.post(`${at}/images/fetch`, {
      urls: ['http://10.0.0.1/a.jpg', 'ftp://a/b', remote],
      label: 'cat',
    });
    expect([status, json.data]).toEqual([
      200,
      [
        expect.objectContaining({ outcome: 'refused', problem: 'address_not_allowed' }),
        expect.objectContaining({ outcome: 'refused', problem: 'wrong_parameters' }),
        expect.objectContaining({ file: remote, outcome: 'added' }),
      ],
    ]);
  });

  test.each([
    ['JSON', { body: {} }, 'no_file'],
    ['a form without a file', { files: [] }, 'no_file'],
    [
      'more files than a form may hold',
      { files: Array.from({ length: 101 }, () => ({ name: 'x.jpg' })) },
      'bad_request',
    ],
  ])(
    'are refused: %s',
    async (_what, { body, files }: { body?: object; files?: { name: string }[] }, code) => {
      const answer = files ? await api.send(`${at}/images`, files) : await api.post(`${at}/images`, body);
      expect([answer.status, answer.json.code]).toEqual([400, code]);
    },
  );

  test('with a label are refused where boxes are wanted', async () => {
    const boxes = await api.make({ task: 'object_detection' });
    const { status, json } = await api.send(`/api/datasets/${boxes}/images?label=cat`, [{ name: 'a.jpg' }]);
    expect([status, json.detail]).toEqual([400, expect.stringContaining('boxes')]);
  });
});

describe('images', () => {
  test('are listed by class, label, split and name, and deleted', async () => {
    const cats = await api.fill(id, 'cat', 3);
    const dogs = await api.fill(id, 'dog', 2);
    const { json } = await api.send(`${at}/images`, [{ name: 'Odd_one%.jpg' }]);
    const odd = json.data[0].image_id;
    const ids = async (query: string) =>
      (await api.get(`${at}/images?${query}`)).json.data.map((each: { id: number }) => each.id);
    const classes = await classesOf(at);
    expect(await ids('')).toEqual([odd, ...[...cats, ...dogs].reverse()]);
    expect(await ids(`class_id=${classes['dog']?.id}`)).toEqual([...dogs].reverse());
    expect(await ids('labelled=false')).toEqual([odd]);
    expect(await ids('search=ONE%25')).toEqual([odd]);
    expect(await ids('split=train')).toEqual([]);
    expect((await api.remove(`${at}/images/${odd}`)).json).toMatchObject({ images: 1, labels: 0 });
    expect((await api.get(`${at}/images/${odd}`)).status).toBe(404);
    const elsewhere = await api.fill(await api.make(), 'cat', 1);
    const many = await api.post(`${at}/images/delete`, { image_ids: [...dogs, ...elsewhere, 999_999] });
    expect(many.json).toMatchObject({ images: 2, labels: 2, classes: 0 });
    expect(await ids('')).toEqual([...cats].reverse());
  });

  test('have one class, or any number where that is wanted, and never the same twice', async () => {
    const [image] = await api.fill(id, 'cat', 1);
    const cat = (await classesOf(at))['cat']?.id;
    const dog = (await api.post(`${at}/classes`, { name: 'dog' })).json.id;
    const set = (labels: unknown) => api.put(`${at}/images/${image}/labels`, { labels });
    expect((await set([{ class_id: dog }])).json.labels).toEqual([{ class_id: dog, box: null }]);
    expect((await set([])).json.labels).toEqual([]);
    expect((await set(null)).json.labels).toBeNull();
    for (const [labels, detail] of [
      [[{ class_id: cat }, { class_id: dog }], /one class each/],
      [[{ class_id: 999 }], /999 is no class/],
      [[{ class_id: cat, box: { x_min: 0, y_min: 0, x_max: 9, y_max: 9 } }], /for classification/],
    ] as const) {
      const { status, json } = await set(labels);
      expect([status, json.detail]).toEqual([400, expect.stringMatching(detail)]);
    }
    const many = await api.make({ multi_label: true });
    const [other] = await api.fill(many, 'cat', 1);
    const own = (await classesOf(`/api/datasets/${many}`))['cat']?.id;
    const more = (await api.post(`/api/datasets/${many}/classes`, { name: 'dog' })).json.id;
    const path = `/api/datasets/${many}/images/${other}/labels`;
    expect(
      (await api.put(path, { labels: [{ class_id: own }, { class_id: more }] })).json.labels,
    ).toHaveLength(2);
    expect((await api.put(path, { labels: [{ class_id: own }, { class_id: own }] })).status).toBe(400);
  });

  test('have boxes that are clipped to them; one that is outside or tiny changes nothing', async () => {
    const boxes = await api.make({ task: 'object_detection' });
    const { json } = await api.send(`/api/datasets/${boxes}/images`, [{ name: 'a.jpg' }]);
    const path = `/api/datasets/${boxes}/images/${json.data[0].image_id}`;
    const class_id = (await api.post(`/api/datasets/${boxes}/classes`, { name: 'cell' })).json.id;
    const box = (x_min: number, y_min: number, x_max: number, y_max: number) => ({
      class_id,
      box: { x_min, y_min, x_max, y_max },
    });
    const set = await api.put(`${path}/labels`, { labels: [box(-5, 400.5, 100, 500)] });
    expect(set.json.labels).toEqual([box(0, 400.5, 100, 480)]);
    for (const [label, detail] of [
      [box(640, 0, 700, 50), /outside.*640 x 480/],
      [box(5, 5, 6, 50), /under 2 pixels/],
      [{ class_id }, /no box/],
    ] as const) {
      const refused = await api.put(`${path}/labels`, { labels: [label] });
      expect([refused.status, refused.json.detail]).toEqual([400, expect.stringMatching(detail)]);
    }
    expect((await api.get(path)).json.labels).toEqual(set.json.labels);
  });
});

describe('classes', () => {
  test('are renamed, merged and deleted, and their names are unique', async () => {
    const [first] = await api.fill(id, 'cat', 2);
    await api.fill(id, 'katze', 2);
    await api.fill(id, 'dog', 1);
    const { cat, katze, dog } = await classesOf(at);
    const rename = await api.patch(`${at}/classes/${dog?.id}`, { name: 'cat' });
    expect([rename.status, rename.json.code]).toEqual([409, 'conflict']);
    expect((await api.post(`${at}/classes`, { name: 'cat' })).status).toBe(409);
    expect((await api.patch(`${at}/classes/${dog?.id}`, { name: 'hound' })).json.name).toBe('hound');
    const merged = await api.post(`${at}/classes/${katze?.id}/merge`, { into: cat?.id });
    expect(merged.json).toEqual({ id: cat?.id, name: 'cat' });
    expect(await classesOf(at)).toMatchObject({ cat: { images: 4 }, hound: { images: 1 } });
    expect(await classesOf(at)).not.toHaveProperty('katze');
    const refused = await api.remove(`${at}/classes/${cat?.id}`);
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('force=true')]);
    expect((await api.remove(`${at}/classes/${cat?.id}?force=true`)).status).toBe(204);
    expect((await api.get(`${at}/images/${first}`)).json.labels).toBeNull();
    expect((await api.get(at)).json).toMatchObject({ images: 5, labelled: 1 });
  });
});

describe('the split', () => {
  test('holds out a share of each class, keeps look-alikes together, and stays as it is', async () => {
    await api.fill(id, 'cat', 10);
    await api.fill(id, 'dog', 5);
    await api.send(`${at}/images?label=dog`, [
      { name: 'twin.jpg', looksLike: 'twin' },
      { name: 'twin2.jpg', looksLike: 'twin-b' },
    ]);
    expect((await api.post(`${at}/split`, { held_out: 0.2 })).json).toEqual({
      assigned: 17,
      train: 14,
      held_out: 3,
    });
    expect(await classesOf(at)).toMatchObject({ cat: { held_out: 2 }, dog: { held_out: 1 } });
    const heldOut = async () => (await api.get(`${at}/images?split=held-out&limit=100`)).json.data;
    const before = await heldOut();
    await api.fill(id, 'bird', 5);
    expect((await api.post(`${at}/split`)).json).toMatchObject({ assigned: 5 });
    const after = await heldOut();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(4);
    const twins = (await api.get(`${at}/images?search=twin`)).json.data;
    expect(new Set(twins.map(({ split }: { split: string }) => split)).size).toBe(1);
  });
});

test('the check reports what would make a training worse', async () => {
  await api.fill(id, 'cat', 5);
  await api.fill(id, 'dog', 1);
  await api.send(`${at}/images`, [{ name: 'cat0.jpg' }]);
  const { json } = await api.get(`${at}/check`);
  expect(json.counts).toEqual({ 'no-labels': 1, 'few-images': 1, 'near-duplicate': 1 });
  expect(json.findings).toContainEqual({
    problem: 'few-images',
    file: null,
    image_id: null,
    labels: 0,
    message: expect.stringContaining('"dog" is in 1'),
  });
});
