import { describe, expect, test } from 'vitest';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { expectSign, useClients } from './use-clients.js';

const json = (results: ReadonlyMap<string, string>, form: string) => JSON.parse(results.get(form) ?? 'null');

/** All forms but those named found the sign. */
function expectSigns(results: ReadonlyMap<string, string>, count: number, others: readonly string[]): void {
  const forms = [...results.keys()].filter((form) => !others.includes(form));
  expect(forms).toHaveLength(count);
  for (const form of forms) expectSign(json(results, form), form);
}

describe.skipIf(!(await haveDefaultModels()))('a client that exists finds the sign with', () => {
  const clients = useClients();

  test.skipIf(!haveProgram('curl', ['--version'], 'curl'))('curl, in every documented form', async () => {
    const results = await clients().run('sh', 'curl.sh');
    expectSigns(results, 22, ['v2 wrong key', 'v1 no file', 'face command', 'HEAD', 'OPTIONS']);
    expect(json(results, 'v1 POST url').url).toBe(clients().imageUrl);
    expect(json(results, 'v2 wrong key')).toMatchObject({ status: -1, error: { code: 'invalid_api_key' } });
    expect(json(results, 'v1 no file').status).toBe('Error (No File)');
    expect(json(results, 'face command')).toMatchObject({ status: -1, post_type: 'create_person' });
    expect([results.get('HEAD'), results.get('OPTIONS')]).toEqual(['405', '204']);
  });

  test.skipIf(!haveProgram('wget', ['--version'], 'wget'))('wget', async () => {
    const results = await clients().run('sh', 'wget.sh');
    expectSigns(results, 4, ['unknown model']);
    expect(json(results, 'unknown model').status).toBe('Error (Wrong Parameters)');
  });

  const python = '/usr/bin/python3';
  test.skipIf(!haveProgram(python, ['-c', 'import requests'], 'python3-requests'))(
    "Python's requests",
    async () => {
      const results = await clients().run(python, 'python_requests.py');
      expectSigns(results, 7, ['cut object_title', 'cut score', 'create_person', 'a wrong key']);
      expect(results.get('cut object_title')).toBe('stop sign');
      expect(results.get('cut score')).toMatch(/^[01]\.\d+$/);
      expect(json(results, 'create_person')).toEqual([200, -1]);
      expect(json(results, 'a wrong key')).toEqual([401, -1, 'Error (Invalid API Key)']);
    },
  );

  test('axios', async () => {
    const results = await clients().run(process.execPath, 'axios.mjs');
    expectSigns(results, 8, ['a refusal']);
    expect(json(results, 'a refusal')).toMatchObject({
      http: 400,
      status: -3,
      error: { message: 'base64str is not base64 text' },
    });
  });

  test.skipIf(!haveProgram('java', ['-version'], 'default-jdk-headless'))(
    "Java's HttpURLConnection",
    async () => {
      const results = await clients().run('java', 'HttpClient.java');
      for (const form of ['GET url', 'multipart']) expectSign(json(results, form), form);
      expect(json(results, 'GET create_person')).toMatchObject({ status: -1, post_type: 'create_person' });
      expect(results.get('cut status')).toBe('-1');
      expect(results.get('cut post_type')).toBe('"create_person"');
      expect(json(results, 'GET insert_person_image')).toMatchObject({ status: -2 });
      expect(json(results, 'multipart insert_person_image_key_id')).toMatchObject({ status: -2 });
      expect(results.get('cut face_count')).toBe('0');
      expect(json(results, 'a wrong key').status).toBe('Error (Invalid API Key)');
    },
  );
});
