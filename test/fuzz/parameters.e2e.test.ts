import { isIP } from 'node:net';
import fc from 'fast-check';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redactText } from '#server/core/redact.js';
import { ServiceError } from '#server/core/service-error.js';
import { pageRequest } from '#server/http/api/paging.js';
import { startTestService, type TestService } from '#server/http/fixtures/test-service.js';
import { checkImageAddress, parseImageAddress } from '#server/intake/check-address.js';
import { isAllowedAddress } from '#server/intake/public-address.js';
import { cases, fuzzing } from './cases.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '0',
    '-0',
    '-1',
    '1e999',
    'NaN',
    '0x10',
    '9007199254740993',
    'true',
    'null',
    '[]',
    '__proto__',
    'constructor',
    '\0',
    "' or 1=1 --",
    'x'.repeat(5000),
    '2026-02-30',
    '9999-12-31',
    '0001-01-01T00:00:00+23:59',
    '2026-01-31T23:59:60Z',
    'WzEsIjAiXQ',
  ),
  fc.json({ maxDepth: 2 }).map((json) => Buffer.from(json).toString('base64url')),
);
/** As it is, percent-encoded, or encoded wrongly. */
const encoded = fc.tuple(text, fc.constantFrom('as it is', 'encoded', 'half')).map(([plain, how]) => {
  // Half a surrogate pair has no percent-encoding.
  const whole = Buffer.from(plain).toString();
  if (how === 'encoded') return encodeURIComponent(whole);
  const visible = whole.replace(/[^!-~]/g, '%');
  return how === 'half' ? `${visible}%f` : visible.replace(/[#\\]/g, '');
});

const v1 = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const),
  path: fc.constantFrom(
    '/predict/image',
    '/predict/object_detection/',
    '/predict/face',
    '/predict/image//',
    '/%70redict/image',
  ),
  names: fc.constant([
    'model_id',
    'predicttype',
    'parts',
    'conf_thresh',
    'nms_thresh',
    'command',
    'person_id_filter',
    'person_name',
    'key_id',
    '__proto__',
    'a[b]',
  ]),
});
const api = fc.record({
  method: fc.constantFrom('GET' as const, 'DELETE' as const),
  path: fc.constantFrom(
    '/api/files',
    '/api/keys',
    '/api/keys/77',
    '/api/keys/%00',
    '/api/usage',
    '/api/account',
    `/api/files/${'a'.repeat(32)}`,
  ),
  names: fc.constant(['limit', 'cursor', 'from', 'to', 'operation', 'key_id', 'force', '__proto__']),
});

test.each([
  ['v1', v1, 1200],
  ['/api', api, 800],
] as const)(
  'whatever the query of %s holds, it is answered and no fault of ours',
  fuzzing,
  async (_name, call, count) => {
    await fc.assert(
      fc.asyncProperty(
        call,
        fc.array(fc.tuple(fc.nat(), encoded), { maxLength: 5 }),
        async ({ method, path, names }, pairs) => {
          const query = pairs.map(([nth, value]) => `${names[nth % names.length]}=${value}`).join('&');
          const answer = await service.app.inject({ method, url: `${path}?${query}&apikey=${service.key}` });
          expect(answer.statusCode, answer.body).toBeLessThan(500);
          if (answer.statusCode !== 204) expect(answer.json()).toBeTypeOf('object');
        },
      ),
      cases(count),
    );
  },
);

test('whatever an address is, it leads to a checked address or nowhere', fuzzing, async () => {
  const host = fc.oneof(
    fc.ipV4Extended(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.domain(),
    fc.nat({ max: 0xffffffff }).map(String),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('localhost', '127.1', '0', '[::ffff:7f00:1]', 'public.example'),
  );
  const address = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'http:', 'HTTP:\\\\', 'ftp://', ''),
        fc.constantFrom('', 'a@', 'a:b@', '\\@'),
        host,
        fc.constantFrom('', ':80', ':22', ':6000', '#@', '?', '/\\'),
      )
      .map((pieces) => pieces.join('')),
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
  );
  const answers = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('8.8.8.8', '2606:4700::1')), {
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(address, answers, async (written, resolved) => {
      try {
        const parsed = parseImageAddress(written);
        const pageAddresses = await checkImageAddress(
          parsed,
          [],
          async () => resolved,
          new AbortController().signal,
        );
        expect(pageAddresses.length).toBeGreaterThan(0);
        for (const pageAddress of pageAddresses)
          expect([isIP(pageAddress) > 0, isAllowedAddress(pageAddress, [])]).toEqual([true, true]);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        expect(['wrong_parameters', 'address_not_allowed', 'address_not_reachable']).toContain(error.code);
      }
    }),
    cases(900),
  );
});

test('whatever a cursor is, it is a position or refused', fuzzing, () => {
  const Position = Type.Tuple([Type.Integer(), Type.String()]);
  fc.assert(
    fc.property(text, (cursor) => {
      try {
        pageRequest(Position, { cursor });
      } catch (error) {
        expect(error).toMatchObject({ code: 'wrong_parameters' });
      }
    }),
    cases(500),
  );
});

test('whatever stands around a key, no line shows it', fuzzing, () => {
  const key = `lyn_${'K'.repeat(43)}`;
  const around = fc.oneof(
    text,
    fc.string({ maxLength: 40 }),
    fc.constantFrom('?', '&', '%26', '"', '\\"', '=', 'apikey='),
  );
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(redactText(`${before}?apikey=${key}&${after}`)).not.toContain(key);
      expect(redactText(`${before} ${key} ${after}`)).not.toContain(key);
    }),
    cases(700),
  );
});
