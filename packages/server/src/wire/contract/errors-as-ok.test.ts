import { expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { withImage } from './fixtures/images.js';
import { predictPaths } from './fixtures/predict-paths.js';
import { useService } from './fixtures/use-service.js';

/** A setting makes every v1 and v2 error answer 200 for clients that cannot read a body under another code. */

const usual = useService();
const lenient = useService({ errorsAsOk: true });

test.each(predictPaths)('on %s every error is 200 with the same body', async (path) => {
  for (const [line, http] of [
    [`POST ${path}?apikey=no`, 401],
    [`POST ${path}?apikey=KEY`, 400],
    [`DELETE ${path}`, 405],
  ] as const) {
    const plain = await ask(usual(), line);
    const mild = await ask(lenient(), line);
    expect([plain.status, mild.status], line).toEqual([http, 200]);
    const textWithoutId = (answer: typeof mild) => answer.text.replace(answer.json.error.request_id, 'ID');
    expect(textWithoutId(mild)).toBe(textWithoutId(plain));
    expect(mild.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(mild.headers['allow']).toBe(plain.headers['allow']);
  }
});

test('it touches nothing else', async () => {
  expect((await ask(lenient(), 'PUT /predict?api_key=KEY', withImage())).json.status).toBe(1);
  expect((await ask(lenient(), 'GET /other')).status).toBe(404);
  expect((await ask(lenient(), 'GET /api/files')).status).toBe(401);
});
