import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { type HeldBody, holdBody } from './fixtures/held-body.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

const bytes = 300_000;
const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(bytes) }]);
let service: TestService;
let held: HeldBody;
let other: string;
beforeAll(async () => {
  service = await startTestService({ spoolMaxBytes: 1_000_000 });
  ({ key: other } = await service.makeKey('other'));
});
beforeEach(async () => {
  // Of more than a third of the spool, which stays there while the rest does not come.
  const { body, headers } = form;
  held = await holdBody(service, '/predict/image', {
    method: 'POST',
    body,
    headers: { ...headers, 'x-api-key': service.key },
  });
  await expect.poll(() => service.spool.bytesInUse, { timeout: 60_000 }).toBeGreaterThan(200_000);
});
afterAll(() => service.stop());

const send = async (
  path: string,
  method: string,
  key: string,
  sent: { body: Buffer | string; headers?: object },
) => {
  const answer = await fetch(`${service.base}${path}`, {
    method,
    body: sent.body,
    headers: { ...sent.headers, 'x-api-key': key },
  });
  return { status: answer.status, headers: answer.headers, json: JSON.parse(await answer.text()) };
};

describe('an account with large images on their way', () => {
  test('is rejected as too many, and others are answered', async () => {
    const refused = await send('/predict/image', 'POST', service.key, form);
    expect([refused.status, refused.json.status, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'Error (Too Many Requests)', '1'],
    ]);
    const base64str = imageBytes(1_200_000).toString('base64');
    const v2 = await send('/predict', 'PUT', service.key, { body: JSON.stringify({ base64str }) });
    expect([v2.status, v2.json.status, v2.json.error.code]).toEqual([429, -7, 'too_many_requests']);
    expect((await send('/predict/image', 'POST', other, form)).status).toBe(200);
    expect((await held.finish()).status).toBe(200);
    expect((await send('/predict/image', 'POST', service.key, form)).status).toBe(200);
    expect(service.spool.bytesInUse).toBe(0);
  });

  test('fetches none by address either', async () => {
    const site = createServer((_request, response) => response.end(imageBytes(bytes)));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    const path = `/predict/image?url=${encodeURIComponent(`http://127.0.0.1:${port}/a.jpg`)}`;
    const empty = { body: '' };
    expect((await send(path, 'POST', service.key, empty)).json.error.code).toBe('too_many_requests');
    expect((await send(path, 'POST', other, empty)).status).toBe(200);
    expect((await held.finish()).status).toBe(200);
    site.close();
  });
});
