import { expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { ask } from './fixtures/ask.js';
import { upload, withImage } from './fixtures/images.js';
import { useService } from './fixtures/use-service.js';

/** `Error (Too Many Requests)`, 429: rate limit, with `Retry-After`. Off by default: every other file here runs so. */

const limited = useService({ rateLimitPerKey: 2 });
const lenient = useService({ rateLimitPerKey: 2, errorsAsOk: true });

const image = 'POST /predict/image?apikey=KEY';
const detect = 'PUT /predict?api_key=KEY';
const wait = { toBeSeconds: /^([1-9]|[1-5][0-9]|60)$/ };

test('Error (Too Many Requests) | 429 | rate limit, with Retry-After; v2 -7; not a call', async () => {
  for (const line of [image, detect]) {
    const answer = await ask(limited(), line, line === image ? upload : withImage());
    expect(answer.status).toBe(200);
  }
  const before = await limited().callsUsed();
  const v1 = await ask(limited(), image, upload);
  expect([v1.status, v1.json.status, v1.json.error.code]).toEqual([
    429,
    'Error (Too Many Requests)',
    'too_many_requests',
  ]);
  const v2 = await ask(limited(), detect, withImage());
  expect([v2.status, v2.json.status, v2.json.status_description]).toEqual([
    429,
    -7,
    'Error (Too Many Requests)',
  ]);
  for (const { headers } of [v1, v2]) {
    expect(headers['retry-after']).toMatch(wait.toBeSeconds);
    expect(headers['access-control-allow-origin']).toBe('*');
  }
  expect(await limited().callsUsed()).toBe(before);
  expect((await callApi(limited(), '/api/account')).status).toBe(429);
});

test('the always-200 setting keeps the body and the Retry-After', async () => {
  const answers = [];
  for (let count = 0; count < 3; count += 1) answers.push(await ask(lenient(), image, upload));
  const last = answers.at(-1);
  expect([last?.status, last?.json.status]).toEqual([200, 'Error (Too Many Requests)']);
  expect(last?.headers['retry-after']).toMatch(wait.toBeSeconds);
});
