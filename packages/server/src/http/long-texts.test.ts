import { afterAll, beforeAll, expect, test } from 'vitest';
import { formWith, jpeg, makeCompatKey } from '../compat/common/fixtures/compat-client.js';
import { readAsked } from '../compat/compreface/query.js';
import { mostCpuBetweenTurns } from '../core/fixtures/cpu-between-turns.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { callV1 } from './fixtures/call-v1.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Of the largest size of a field. */
const long = (piece: string) => piece.repeat(60_000);

test.each([
  ['digits', `${long('1')}x`],
  ['digits and dots', `${long('1')}.${long('1').slice(0, 4000)}x`],
])('a threshold of %s is refused without holding up others', async (_name, content) => {
  const image = { name: 'image', fileName: 'a.jpg', content: imageBytes(3000) };
  const sent = multipart([{ name: 'conf_thresh', content }, image]);
  const call = () => callV1(service, '/predict/object_detection/', { sent, key: service.key });
  await call();
  const { most } = await mostCpuBetweenTurns(async () => expect((await call()).status).toBe(400));
  expect(most).toBeLessThan(60);
});

test('a confidence of many spaces is read without holding up others', async () => {
  const { key } = await makeCompatKey(service, { protocol: 'deepstack' });
  const body = formWith(['image', jpeg], ['min_confidence', `1${long(' ')}x`], ['api_key', key]);
  const { most } = await mostCpuBetweenTurns(async () => {
    const answer = await fetch(`${service.base}/v1/vision/detection`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    await answer.text();
  });
  expect(most).toBeLessThan(60);
});

test('names of plugins between many spaces are read without holding up others', async () => {
  const form = { face_plugins: `age,${long(' ')}x,  mask` };
  const { most } = await mostCpuBetweenTurns(async () => {
    expect([...readAsked('/recognize', form).plugins]).toEqual(['age', 'x', 'mask']);
  });
  expect(most).toBeLessThan(60);
});
