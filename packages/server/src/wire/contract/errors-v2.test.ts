import { Readable } from 'node:stream';
import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { base64str, withImage } from './fixtures/images.js';
import { spoilKey } from './fixtures/spoil-key.js';
import { useService } from './fixtures/use-service.js';

/** The numbers of v2, a block a number, with the whole body of each error. */

const service = useService();

/** The body must be answered by this error and no other byte, and must not count. */
async function expectError(
  wanted: { readonly n: number; readonly http: number; readonly code: string; readonly text: string },
  body: string,
  query = 'api_key=KEY',
  message?: string,
) {
  const before = await service().callsUsed();
  const answer = await ask(service(), `PUT /predict?${query}`, { body });
  expect(answer.text).toBe(
    `{"predictions": [], "model_type": null, "status": ${wanted.n}, "status_description": "${wanted.text}", ` +
      `"error": {"code": "${wanted.code}", "message": ${JSON.stringify(message ?? answer.json.error.message)}, ` +
      `"request_id": "${answer.headers['x-request-id']}"}}`,
  );
  expect([answer.status, answer.headers['content-type']]).toEqual([
    wanted.http,
    'application/json; charset=utf-8',
  ]);
  expect(await service().callsUsed()).toBe(before);
  return answer;
}
const sent = (more: object) => JSON.stringify({ base64str, ...more });
const failWith = (code: EngineErrorCode) => {
  service().runner.script = async () => {
    throw new EngineError(code, 'failed on /srv/secret/body-1');
  };
};

describe('0 internal', () => {
  test.each<EngineErrorCode>(['internal', 'model-missing'])('%s', async (code) => {
    failWith(code);
    const wanted = { n: 0, http: 500, code: 'internal_error', text: 'Error (Internal Error)' };
    await expectError(wanted, sent({}));
  });
});

describe('-1 invalid API key', () => {
  const wanted = { n: -1, http: 401, code: 'invalid_api_key', text: 'Error (Invalid API Key)' };
  const refused =
    'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here';
  test('missing', () =>
    expectError(
      wanted,
      sent({}),
      '',
      'no API key: give it as the query parameter api_key, in X-API-Key, or as Authorization: Bearer',
    ));
  test('unknown', () => expectError(wanted, sent({}), 'api_key=nobody', refused));
  test.each(['revoked', 'expired'] as const)('%s', async (how) => {
    await expectError(wanted, sent({}), `api_key=${await spoilKey(service(), how)}`, refused);
  });
});

test('-2 invalid model id', async () => {
  const wanted = { n: -2, http: 400, code: 'invalid_model', text: 'Error (Wrong Parameters)' };
  await expectError(
    wanted,
    sent({ model_id: 77 }),
    undefined,
    'model_id 77 is not one of your models; built in are coco-accurate (101), coco-fast (102), imagenet (201)',
  );
  await expectError(wanted, sent({ model_id: 'nobody' }));
});

describe('-3 invalid or missing image', () => {
  test.each([
    ['no body', ''],
    ['an object without an image', '{}'],
    ['an empty image', '{"base64str": ""}'],
    ['an image that is null', '{"base64str": null}'],
  ])('missing: %s', async (_name, body) => {
    const wanted = { n: -3, http: 400, code: 'no_file', text: 'Error (No File)' };
    await expectError(wanted, body, undefined, 'no image: give base64str or image_file_url');
  });

  test.each([
    ['a number', '{"base64str": 7}'],
    ['not base64', '{"base64str": "!!!!"}'],
    [
      'base64 with a stray character',
      sent({ base64str: `${base64str.slice(0, 40)}*${base64str.slice(40)}` }),
    ],
  ])('invalid: %s', async (_name, body) => {
    const wanted = { n: -3, http: 400, code: 'invalid_image_text', text: 'Error (Wrong Parameters)' };
    await expectError(wanted, body, undefined, 'base64str is not base64 text');
  });

  test.each<EngineErrorCode>(['image-unsupported', 'image-corrupt', 'image-too-complex'])(
    'invalid: %s',
    async (code) => {
      failWith(code);
      const wanted = { n: -3, http: 415, code: 'unsupported_image', text: 'Error (Unsupported Image)' };
      await expectError(wanted, sent({}));
    },
  );
});

describe('-4 wrong parameters', () => {
  const text = 'Error (Wrong Parameters)';
  const notJson = 'the body is not JSON in UTF-8, uncompressed';
  test.each([
    ['not JSON', '{"base64str": ', notJson],
    ['a list', '[]', 'the body must be a JSON object'],
    ['text', '"a"', 'the body must be a JSON object'],
    ['large and not JSON', 'A'.repeat(3_000_000), notJson],
  ])('a body that is %s', async (_name, body, message) => {
    await expectError({ n: -4, http: 400, code: 'bad_request', text }, body, undefined, message);
  });
  test.each(['multipart/form-data; boundary=a', 'image/jpeg'])('one of the type %s', async (type) => {
    const headers = { 'content-type': type };
    const { json } = await ask(service(), 'PUT /predict?api_key=KEY', { body: '--a', headers });
    expect(json.error.message).toBe(
      `the body is ${type.split(';')[0]}: this operation takes JSON with the image as base64 text in base64str`,
    );
  });

  test.each<[string, object]>([
    ['conf_thresh must be a number from 0 to 1', { conf_thresh: 1.5 }],
    ['conf_thresh must be a number from 0 to 1', { conf_thresh: -0.1 }],
    ['conf_thresh must be a number from 0 to 1', { conf_thresh: '1.4' }],
    ['nms_thresh must be a number from 0 to 1', { nms_thresh: 'much' }],
    ['nms_thresh must be a number from 0 to 1', { nms_thresh: true }],
    ['model_id must be the UID of a model, or its number', { model_id: [101] }],
    ['model_id must be the UID of a model, or its number', { model_id: 1.5 }],
    ['image_file_url must be an http or https address', { image_file_url: 7 }],
  ])('%s: %j', async (message, more) => {
    await expectError({ n: -4, http: 400, code: 'wrong_parameters', text }, sent(more), undefined, message);
  });

  test('an address that is not http or https', async () => {
    const body = '{"image_file_url": "ftp://example.org/a.jpg"}';
    await expectError({ n: -4, http: 400, code: 'wrong_parameters', text }, body);
  });
});

test('-5 trial limit', async () => {
  const { key } = await service().makeKey('trial', 1);
  expect((await ask(service(), `PUT /predict?api_key=${key}`, withImage())).status).toBe(200);
  const text = 'Error (You Have Reached Your Trial API Call limit)';
  await expectError({ n: -5, http: 429, code: 'trial_limit', text }, sent({}), `api_key=${key}`);
});

describe('-6 too large', () => {
  const wanted = { n: -6, http: 413, code: 'file_too_large', text: 'Error (File Too Large)' };
  test('over the byte limit', async () => {
    const body = `{"base64str": "${'A'.repeat(7 * 1024 * 1024)}"}`;
    await expectError(wanted, body, undefined, 'the body is larger than 6291456 bytes');
  });
  test('an image over the byte limit in a body within its own', async () => {
    const body = `{"base64str": "${Buffer.alloc(4_200_000, 0xff).toString('base64')}"}`;
    await expectError(wanted, body, undefined, 'the image is larger than 4194304 bytes');
  });
  test('also when it comes without a length', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'A');
    const body = Readable.from(Array.from({ length: 8 }, () => chunk));
    const { status, json } = await ask(service(), 'PUT /predict?api_key=KEY', { body });
    expect([status, json.status]).toEqual([413, -6]);
  });
  test('over the pixel limit', async () => {
    failWith('image-too-large');
    await expectError(wanted, sent({}));
  });
});

test.each<EngineErrorCode>(['busy', 'process-crashed', 'timeout'])(
  '-7 too many requests or busy: %s, with Retry-After',
  async (code) => {
    failWith(code);
    const wanted = { n: -7, http: 503, code: 'service_busy', text: 'Error (Service Busy)' };
    expect((await expectError(wanted, sent({}))).headers['retry-after']).toBe('1');
    // An image that took a process down is not tried again by itself.
    expect(service().runner.seen).toHaveLength(1);
  },
);

describe('-8 image address', () => {
  test.each([
    ['http://10.0.0.1/a.jpg', 403, 'address_not_allowed', 'Error (Image Address Not Allowed)'],
    ['http://127.0.0.1:1025/', 502, 'address_not_reachable', 'Error (Image Address Not Reachable)'],
  ])('%s', async (image_file_url, http, code, text) => {
    await expectError({ n: -8, http, code, text }, JSON.stringify({ image_file_url }));
  });
});
