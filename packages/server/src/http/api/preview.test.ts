import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageBytes } from '../fixtures/bodies.js';
import { found } from '../fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';

let service: TestService;
let remote: Server;
beforeAll(async () => {
  service = await startTestService({ maxImageBytes: 100_000 });
  service.runner.script = async () => found;
  remote = createServer((_request, response) => response.end(imageBytes(2000)));
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  remote.close();
  await service.stop();
});

async function preview(query: string, body?: Buffer, key = service.key) {
  const answer = await request(`${service.base}/api/preview${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...(body ? { 'content-type': 'image/heic' } : {}) },
    ...(body ? { body } : {}),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

describe('a preview', () => {
  test('is a JPEG with the size of the image, of which nothing is kept and no call counted', async () => {
    const before = await service.callsUsed();
    const { status, headers, text } = await preview('?max_side=320', imageBytes(40_000));
    expect([status, text]).toEqual([200, 'a small JPEG']);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-image-width': '640',
      'x-image-height': '480',
    });
    expect(service.runner.seen.at(-1)).toMatchObject({
      priority: 'background',
      options: { thumbnail: { maxSidePx: 320 } },
    });
    expect(await service.callsUsed()).toBe(before);
    expect(await service.filesInSpool()).toEqual([]);
  });

  test('of an address is fetched by the same rules as a prediction', async () => {
    const { port } = remote.address() as AddressInfo;
    expect((await preview(`?url=http://127.0.0.1:${port}/a.tif`)).status).toBe(200);
    expect(service.runner.seen.at(-1)?.bytes).toHaveLength(2000);
    const refused = await preview('?url=http://10.0.0.1/a.tif');
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, 'address_not_allowed']);
  });

  test.each([
    ['nothing', '', undefined, 400, 'no_file'],
    ['too many bytes', '', 100_001, 413, 'file_too_large'],
    ['a side of no size', '?max_side=5000', 100, 400, 'wrong_parameters'],
  ] as const)('of %s is refused in words', async (_what, query, bytes, status, code) => {
    const refused = await preview(query, bytes === undefined ? undefined : imageBytes(bytes));
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([status, code]);
  });

  test('is one of 240 a minute of an account, and another account has its own', async () => {
    const { key } = await service.makeKey('eager');
    const statuses = new Set<number>();
    for (let asked = 0; asked < 240; asked += 40) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => preview('', undefined, key)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([400]);
    const late = await preview('', undefined, key);
    expect([late.status, JSON.parse(late.text).code]).toEqual([429, 'too_many_requests']);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    expect((await preview('', imageBytes(100))).status).toBe(200);
  });
});
