import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { faceCalls } from './fixtures/face-calls.js';

let service: TestService;
let api: ReturnType<typeof faceCalls>;
beforeAll(async () => {
  service = await startTestService();
  api = faceCalls(service);
});
afterAll(() => service.stop());

describe('perceptions', () => {
  test('are made with a number and a uid that v1 takes', async () => {
    const { status, json } = await api.post('/api/perceptions', { name: ' staff ' });
    expect([status, json]).toEqual([
      201,
      {
        model_id: expect.any(Number),
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'staff',
        decision_similarity: 0.5,
        wants_liveness: false,
        names_recognition: false,
        refused_problems: [],
        calibration: null,
        embedder: 'fr-feature@1.2',
        created_at: expect.any(String),
      },
    ]);
    const query = `command=create_person&person_name=Ada&apikey=${service.key}`;
    for (const modelId of [json.model_id, json.uid]) {
      const made = await api.get(`/predict/face?${query}&model_id=${modelId}`);
      expect(made.json.status).toBeGreaterThan(1000);
    }
    expect((await api.get(`/api/perceptions/${json.model_id}`)).json).toEqual({
      ...json,
      people: 2,
      images: 0,
    });
  });

  test('are changed field by field, and listed by pages, the newest first', async () => {
    const first = await api.makePerception();
    const second = await api.makePerception({ refused_problems: ['blurred', 'blurred'] });
    const change = { name: 'guests', decision_similarity: 0.7, wants_liveness: true };
    const changed = await api.patch(`/api/perceptions/${first}`, change);
    expect(changed.json).toMatchObject({ ...change, names_recognition: false });
    const page = await api.get('/api/perceptions?limit=1');
    expect(page.json.data).toMatchObject([{ model_id: second, refused_problems: ['blurred'] }]);
    const next = await api.get(`/api/perceptions?limit=1&cursor=${page.json.next_cursor}`);
    expect(next.json.data).toMatchObject([{ model_id: first, name: 'guests' }]);
  });

  test.each([
    ['POST', '/api/perceptions', {}, /name is missing/],
    ['POST', '/api/perceptions', { name: '  ' }, /name must have 1 to 200 characters/],
    ['POST', '/api/perceptions', { name: 'a'.repeat(201) }, /name must have 1 to 200 characters/],
    ['POST', '/api/perceptions', { name: 'x', decision_similarity: 2 }, /a number from 0 to 1/],
    [
      'POST',
      '/api/perceptions',
      { name: 'x', refused_problems: ['ugly'] },
      /refused_problems\[0\] must be one of too-small, /,
    ],
    ['POST', '/api/perceptions', { name: 'x', calibration: null }, /no parameter calibration/],
  ] as const)('are rejected with what to fix: %s %s %j', async (_method, path, body, detail) => {
    const { status, json } = await api.post(path, body);
    expect([status, json.code, json.detail]).toEqual([
      400,
      'wrong_parameters',
      expect.stringMatching(detail),
    ]);
  });

  test('that there are not are a path with nothing at it', async () => {
    for (const path of ['/api/perceptions/77', '/api/perceptions/9007199254740991']) {
      for (const answer of [
        await api.get(path),
        await api.patch(path, { name: 'x' }),
        await api.remove(path),
        await api.get(`${path}/people`),
        await api.send(`${path}/search`, 0),
      ]) {
        expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
      }
    }
  });

  test('are deleted with a receipt', async () => {
    const modelId = await api.makePerception();
    const ada = await api.makePerson(modelId, 'Ada');
    const image = await api.addImage(ada, 0);
    const { content } = (await api.get(`/api/face-images/${image}`)).json;
    const { status, json } = await api.remove(`/api/perceptions/${modelId}`);
    expect([status, json]).toEqual([
      200,
      { people: 1, images: 1, embeddings: 1, corrections: 0, image_bytes: content.bytes },
    ]);
    expect((await api.get(`/api/perceptions/${modelId}`)).status).toBe(404);
    expect((await api.get(`/api/people/${ada}`)).status).toBe(404);
    expect((await api.get(`/api/face-images/${image}/content`)).status).toBe(404);
  });
});
