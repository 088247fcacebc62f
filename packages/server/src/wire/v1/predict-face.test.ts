import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../accounts/accounts.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  expect(await service.filesInSpool()).toEqual([]);
  expect(await service.callsUsed()).toBe(0);
});
afterAll(() => service.stop());

const file = { name: 'image', fileName: 'a.jpg', type: 'image/jpeg', content: imageBytes(3000) };
const upload = multipart([file]);

describe('a face command whose ids do not exist', () => {
  const createPerson =
    '{"status": -1, "status_description": "invalid model id: 77 is not one of your perceptions", "post_type": "create_person", "person_id": -1}';
  test.each(['GET', 'POST'] as const)(
    'answers its code by %s, with the documented keys alone',
    async (method) => {
      const answer = await callV1(
        service,
        '/predict/face?command=create_person&person_name=Ada&model_id=77',
        {
          method,
        },
      );
      expect([answer.status, answer.text]).toEqual([200, createPerson]);
    },
  );

  test.each<[string, string, number, string]>([
    ['create_person, -1 invalid model id', 'command=create_person&person_name=Ada', -1, 'create_person'],
    ['create_person, no name either', 'command=create_person&model_id=x', -1, 'create_person'],
    [
      'insert_person_image, -2 invalid person id',
      'command=insert_person_image&person_id_filter=1001',
      -2,
      'insert_person_image',
    ],
    [
      'insert_person_image, -1 as person id',
      'command=insert_person_image&person_id_filter=-1',
      -2,
      'insert_person_image',
    ],
    ['insert_person_image, no person id', 'command=insert_person_image', -2, 'insert_person_image'],
    [
      'insert_person_image_key_id, -2 invalid model id or key id',
      'command=insert_person_image_key_id&key_id=a&model_id=1001',
      -2,
      'insert_person_image',
    ],
    [
      'insert_person_image_key_id, no model id',
      'command=insert_person_image_key_id&key_id=a',
      -2,
      'insert_person_image',
    ],
  ])('%s', async (_row, query, status, postType) => {
    for (const sent of [upload, undefined]) {
      const answer = await callV1(service, `/predict/face?${query}`, { sent });
      expect([answer.status, answer.json.status, answer.json.post_type]).toEqual([200, status, postType]);
      expect(answer.json.status_description).toMatch(/^invalid (model|person) id: /);
    }
  });

  test('may stand in the form, beside the image', async () => {
    const sent = multipart([{ name: 'command', content: 'insert_person_image' }, file]);
    expect((await callV1(service, '/predict/face', { sent })).json).toMatchObject({ status: -2 });
  });

  test('may have a trailing slash in the path', async () => {
    const answer = await callV1(service, '/predict/face/?command=create_person', {});
    expect(answer.json.status).toBe(-1);
  });
});

test('a key that came as the wrong parameter is not sent back', async () => {
  const chosen = 'operator-chosen-key-1234567890';
  await createAccounts({
    database: service.database,
    clock: Date.now,
    trialCalls: 1000,
    resultDays: 30,
  }).createKey({ account: 'operator', name: 'chosen', expiresAt: null, key: chosen });
  const { text } = await callV1(service, `/predict/face?command=create_person&model_id=${chosen}`, {
    key: chosen,
  });
  expect(text).toContain('invalid model id: [redacted]');
  expect(text).not.toContain('operator-chosen');
});

describe('a face search that cannot be made', () => {
  test.each([
    ['an unknown perception', 'model_id=77', 'wrong_parameters', /77 is not one of your perceptions/],
    ['no perception', '', 'wrong_parameters', /model_id is missing/],
    ['a built-in model', 'model_id=101', 'wrong_parameters', /101 is not one of your perceptions/],
    ['a filter that is no id', 'model_id=77&person_id_filter=Ada', 'wrong_parameters', /person_id_filter/],
    ['an unknown command', 'command=delete_person&model_id=77', 'wrong_parameters', /command must be/],
  ])('is wrong parameters: %s', async (_what, query, code, message) => {
    for (const method of ['GET', 'POST'] as const) {
      const { status, json } = await callV1(service, `/predict/face?${query}`, { method, sent: upload });
      expect([status, json.status, json.error.code]).toEqual([400, 'Error (Wrong Parameters)', code]);
      expect(json.error.message).toMatch(message);
    }
  });

  test('needs a good key before anything else', async () => {
    const { status, json } = await callV1(service, '/predict/face?command=create_person', { key: 'wrong' });
    expect([status, json.status]).toEqual([401, 'Error (Invalid API Key)']);
  });
});
