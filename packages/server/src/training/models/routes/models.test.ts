import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { newVersion } from '../fixtures/stored-models.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  callApi(service, `/api/models${path}`, { method, ...(body === undefined ? {} : { body }) });
const make = async (name = 'animals') =>
  (await ask('POST', '', { name, task: 'classification', description: 'of the zoo' })).json;
const addVersions = async (id: number, count: number) => {
  const { versions } = service.customModels;
  for (let at = 0; at < count; at += 1) {
    await versions.add(service.accountId, id, await newVersion(versions, { report: { accuracy: at } }));
  }
};

describe('models', () => {
  test('are made, listed, read, renamed and described', async () => {
    const made = await ask('POST', '', { name: ' logos ', task: 'object_detection' });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      model_id: expect.any(Number),
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'logos',
      description: '',
      task: 'object_detection',
      version: null,
      dataset_id: null,
      created_at: expect.stringMatching(/Z$/),
    });
    const { model_id: id } = made.json;
    const changed = await ask('PATCH', `/${id}`, { description: 'on jerseys' });
    expect(changed.json).toEqual({ ...made.json, description: 'on jerseys' });
    expect((await ask('GET', `/${id}`)).json).toEqual(changed.json);
    await make('b');
    const first = (await ask('GET', '?limit=1')).json;
    expect(first.data[0].name).toBe('b');
    expect((await ask('GET', `?limit=1&cursor=${first.next_cursor}`)).json.data[0]).toEqual(changed.json);
  });

  test.each([
    [{ name: 'a' }, /task is missing/],
    [{ name: ' ', task: 'classification' }, /name must have 1 to 200/],
    [{ name: 'a', task: 'faces' }, /task must be classification or object_detection/],
    [{ name: 'a', task: 'classification', size: 1 }, /no parameter size/],
    [{ name: 'a', task: 'classification', description: 'a\0' }, /description/],
  ])('%j is refused', async (body, detail) => {
    const { status, json } = await ask('POST', '', body);
    expect([status, json.code]).toEqual([400, 'wrong_parameters']);
    expect(json.detail).toMatch(detail);
  });

  test('go with their versions, with a receipt', async () => {
    const { model_id: id } = await make();
    await addVersions(id, 2);
    expect((await ask('DELETE', `/${id}`)).json).toEqual({ versions: 2, jobs: 0, model_bytes: 14 });
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      code: 'not_found',
      detail: `${id} is not one of your models`,
    });
  });

  test('and perceptions are no substitute for each other', async () => {
    const body = { name: 'staff' };
    const { model_id: id } = (await callApi(service, '/api/perceptions', { method: 'POST', body })).json;
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    const { model_id: trained } = await make();
    expect((await callApi(service, `/api/perceptions/${trained}`)).status).toBe(404);
  });
});

describe('versions', () => {
  test('are listed and read, switched to and rolled back, and deleted when they are not in use', async () => {
    const { model_id: id } = await make();
    await addVersions(id, 3);
    const { data, next_cursor: cursor } = (await ask('GET', `/${id}/versions?limit=2`)).json;
    expect(
      data.map(({ number, is_current }: { number: number; is_current: boolean }) => [number, is_current]),
    ).toEqual([
      [3, true],
      [2, false],
    ]);
    expect((await ask('GET', `/${id}/versions?cursor=${cursor}`)).json.data).toHaveLength(1);
    expect((await ask('GET', `/${id}/versions/2`)).json).toMatchObject({
      number: 2,
      labels: ['cat', 'dog'],
      import: null,
      origin: 'training',
      job_id: null,
    });
    expect((await ask('GET', `/${id}/versions/2/report`)).json).toEqual({ accuracy: 1 });
    expect((await ask('PUT', `/${id}/version`, { number: 1 })).json).toMatchObject({ version: 1 });
    expect((await ask('DELETE', `/${id}/versions/1`)).json).toMatchObject({ code: 'conflict' });
    expect((await ask('DELETE', `/${id}/versions/3`)).status).toBe(204);
    expect((await ask('PUT', `/${id}/version`, { number: 3 })).json).toMatchObject({
      code: 'not_found',
      detail: `model ${id} has no version 3`,
    });
    expect((await ask('PUT', '/99999/version', { number: 1 })).json).toMatchObject({
      code: 'not_found',
      detail: '99999 is not one of your models',
    });
    expect((await ask('PUT', `/${id}/version`, { number: 2 })).json).toMatchObject({ version: 2 });
  });

  test('that were not trained have no report', async () => {
    const { model_id: id } = await make();
    const { versions } = service.customModels;
    await versions.add(service.accountId, id, await newVersion(versions));
    expect((await ask('GET', `/${id}/versions/1/report`)).json).toMatchObject({ code: 'not_found' });
    expect((await ask('GET', `/${id}/versions/7/report`)).json).toMatchObject({ code: 'not_found' });
  });
});
