import { describe, expect, test } from 'vitest';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { ask } from './fixtures/ask.js';
import { useService } from './fixtures/use-service.js';

const service = useService();

describe('form fields', () => {
  const file = { name: 'f', fileName: 'f', content: imageBytes(500) };
  const detect = (parts: Parameters<typeof multipart>[0]) =>
    ask(service(), 'POST /predict/object_detection/?apikey=KEY', multipart(parts));
  const fields = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `field${at}`, content: 'x' }));

  test('count however many come before them, and too many are rejected', async () => {
    const answer = await detect([...fields(90), { name: 'model_id', content: '102' }, file]);
    expect(answer.json.predictions[0].model_id).toBe(102);
    expect((await detect([...fields(120), file])).json.error.message).toMatch(/100 parts at most/);
    const pairs = [...fields(120), { name: 'url', content: 'x' }].map(({ name }) => `${name}=1`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const urlEncoded = await ask(service(), 'POST /predict/image?apikey=KEY', {
      body: pairs.join('&'),
      headers,
    });
    expect(urlEncoded.json.error.message).toMatch(/100 parts at most; a file that curl sends/);
  });

  test('that nobody asked for may be long; one that is a parameter may not', async () => {
    const long = 'a'.repeat(70_000);
    expect((await detect([{ name: 'comment', content: long }, file])).status).toBe(200);
    const { status, json } = await detect([{ name: 'model_id', content: long }, file]);
    expect([status, json.error.message]).toEqual([400, 'model_id is far too long']);
  });
});
