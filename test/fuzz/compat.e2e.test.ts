import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCompatKey } from '#server/compat/common/fixtures/compat-client.js';
import { imageBytes } from '#server/http/fixtures/bodies.js';
import { startTestService, type TestService } from '#server/http/fixtures/test-service.js';
import { cases, fuzzing } from './cases.js';

let service: TestService;
let pool: Pool;
let keys: readonly string[];
beforeAll(async () => {
  service = await startTestService({ maxImageBytes: 100_000, maxJsonBytes: 150_000 });
  pool = new Pool(service.base, { connections: 8 });
  const made = await fetch(`${service.base}/api/perceptions`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'people' }),
  });
  const { model_id: perception } = JSON.parse(await made.text());
  const compat = (protocol: string) => makeCompatKey(service, { protocol, perception: String(perception) });
  keys = (await Promise.all(['deepstack', 'compreface', 'doods'].map(compat))).map(({ key }) => key);
});
afterAll(async () => {
  await pool.close();
  await service.stop();
});

const paths = [
  ...[
    'detection',
    'custom/list',
    'custom/coco-fast',
    'custom/%00',
    'scene',
    'face',
    'face/',
    'face/recognize',
  ],
  ...['face/register', 'face/list', 'face/delete', 'face/match', '..', '%'],
]
  .map((path) => `/v1/vision/${path}`)
  .concat(
    ['/v1/status/ping', '/detectors', '/detect', '/api/v1/detection/detect', '/api/v1/verification/verify'],
    ['recognize', 'faces', 'faces/1/img', 'faces/delete', 'faces/x/verify', 'subjects', 'subjects/Ada'].map(
      (path) => `/api/v1/recognition/${path}`,
    ),
    ['/api/v1/static/x/images/1', '/api/v1/recognition', '/api/v1/nothing'],
  );
const text = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e999',
    'NaN',
    'null',
    'undefined',
    '[]',
    '{}',
    '😀',
    '\u0000',
    'a'.repeat(300),
  ),
  fc.string({ maxLength: 20 }),
);
const field = fc.constantFrom(
  ...['api_key', 'min_confidence', 'userid', 'subject', 'limit', 'det_prob_threshold', 'prediction_count'],
  ...['face_plugins', 'status', 'page', 'size', 'detector_name', '__proto__', 'x'],
);
const fileField = fc.constantFrom('image', 'image0', 'image1', 'file', 'source_image', 'target_image', '');
const content = fc.oneof(
  fc.constant(imageBytes(900)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.alloc(120_000, 1)),
);
const json = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc
    .record({
      data: fc.oneof(text, fc.constant(imageBytes(600).toString('base64'))),
      file: fc.oneof(text, fc.constant(imageBytes(600).toString('base64'))),
      detector_name: text,
      detect: fc.oneof(fc.dictionary(text, fc.oneof(fc.integer(), text)), text),
      subject: fc.oneof(text, fc.integer()),
      source_image: text,
      target_image: text,
    })
    .map((value) => JSON.stringify(value)),
);

interface Sent {
  readonly type: string;
  readonly body: Buffer;
}
const form: fc.Arbitrary<Sent> = fc
  .array(fc.oneof(fc.tuple(field, text), fc.tuple(fileField, content)), { maxLength: 5 })
  .chain((parts) =>
    fc.integer({ min: 0, max: 3 }).map((damage) => {
      const body = Buffer.concat([
        ...parts.flatMap(([name, value]) => [
          Buffer.from(
            `--X\r\nContent-Disposition: form-data; name="${name}"${Buffer.isBuffer(value) ? '; filename="a"' : ''}\r\n\r\n`,
          ),
          Buffer.isBuffer(value) ? value : Buffer.from(value),
          Buffer.from('\r\n'),
        ]),
        Buffer.from('--X--\r\n'),
      ]);
      return {
        type: 'multipart/form-data; boundary=X',
        // One in four is cut short.
        body: damage === 0 ? body.subarray(0, body.length >> 1) : body,
      };
    }),
  );
const body: fc.Arbitrary<Sent | null> = fc.oneof(
  form,
  fc.tuple(json).map(([value]) => ({ type: 'application/json', body: Buffer.from(value) })),
  fc.tuple(text).map(([value]) => ({ type: 'application/x-www-form-urlencoded', body: Buffer.from(value) })),
  fc.constant(null),
);
const request = fc.record({
  method: fc.constantFrom(
    'POST' as const,
    'POST' as const,
    'GET' as const,
    'PUT' as const,
    'DELETE' as const,
  ),
  path: fc.constantFrom(...paths),
  query: fc.array(fc.tuple(field, text), { maxLength: 3 }),
  key: fc.integer({ min: 0, max: 3 }),
  body,
});

test(
  'no request to the interfaces of other services fails, and every refusal has a text',
  fuzzing,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async (requests) => {
        await Promise.all(
          requests.map(async ({ method, path, query, key, body: sent }) => {
            const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
            const used = keys[key];
            const answer = await pool.request({
              method,
              path: `${path}${search === '' ? '' : `?${search}`}`,
              headers: {
                ...(used === undefined ? {} : { 'x-api-key': used }),
                ...(sent ? { 'content-type': sent.type } : {}),
              },
              ...(sent && method !== 'GET' ? { body: sent.body } : {}),
            });
            const read = await answer.body.text();
            expect(answer.statusCode, `${method} ${path}: ${read}`).not.toBe(500);
            if (answer.statusCode < 400) return;
            // A path that cannot be read is nobody's, and is answered as v1 does.
            const { error, message, detail } = JSON.parse(read);
            expect(typeof (error?.message ?? error ?? message ?? detail), read).toBe('string');
          }),
        );
      }),
      cases(150),
    );
    expect(service.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  },
);
