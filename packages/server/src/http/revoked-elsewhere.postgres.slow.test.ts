import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from './api/fixtures/call-api.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { holdBody } from './fixtures/held-body.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

let services: readonly [TestService, TestService];
beforeAll(async () => {
  const first = await startTestService();
  services = [first, await startTestService({ beside: first })];
});
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

test.each([null, 10])(
  'a key with a limit of %s calls that one service revokes predicts nothing on another, whose body was on its way',
  async (callLimit) => {
    const [one, other] = services;
    const used = await one.callsUsed();
    const { json: key } = await callApi(one, '/api/keys', {
      method: 'POST',
      body: { name: 'till', call_limit: callLimit },
    });
    const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(4000) }]);
    const held = await holdBody(other, '/predict/image', {
      method: 'POST',
      body: form.body,
      headers: { ...form.headers, 'x-api-key': key.key },
    });
    expect((await callApi(one, `/api/keys/${key.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await held.finish()).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await one.callsUsed()).toBe(used);
  },
);
