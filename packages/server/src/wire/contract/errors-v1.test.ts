import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { multipart } from '../../http/fixtures/bodies.js';
import type { Sent } from '../../http/fixtures/call-v1.js';
import { ask } from './fixtures/ask.js';
import { image, upload } from './fixtures/images.js';
import { spoilKey } from './fixtures/spoil-key.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

/** The table of errors of v1, a block a row, with the whole body of each. */

const service = useService({ fetchTimeoutMs: 1000 });
const address = useImageHost();

interface ExpectedError {
  readonly http: number;
  readonly code: string;
  readonly message: string;
}

/** The request must be answered by this error and no other byte, and must not count. */
async function expectError(status: string, expected: ExpectedError, line: string, sent?: Sent) {
  const before = await service().callsUsed();
  const answer = await ask(service(), line, sent);
  const id = answer.headers['x-request-id'];
  const { code, message } = expected;
  expect(answer.text).toBe(
    `{"status": "${status}", "error": {"code": "${code}", "message": ${JSON.stringify(message)}, "request_id": "${id}"}}`,
  );
  expect([answer.status, answer.headers['content-type']]).toEqual([
    expected.http,
    'application/json; charset=utf-8',
  ]);
  expect(await service().callsUsed()).toBe(before);
  return answer;
}

const predictImage = 'POST /predict/image?apikey=KEY';
const detection = 'POST /predict/object_detection/?apikey=KEY';
const form = (content: string | Buffer, fileName?: string) =>
  multipart([{ name: 'image', content, ...(fileName === undefined ? {} : { fileName }) }]);

describe('Error (Wrong Parameters), 400', () => {
  const status = 'Error (Wrong Parameters)';
  const wrong = (message: string): ExpectedError => ({ http: 400, code: 'wrong_parameters', message });
  const partsMessage = 'parts must be a list of classes, objects, texts, faces, separated by commas';
  const number = (name: string) => `${name} must be a number from 0 to 1`;

  test.each<[string, string, string]>([
    [
      'an unknown model_id',
      `${predictImage}&model_id=77`,
      'model_id 77 is not one of your models; built in are imagenet (201)',
    ],
    [
      'an unknown model_id for detection',
      `${detection}&model_id=x`,
      'model_id x is not one of your models; built in are coco-accurate (101), coco-fast (102)',
    ],
    [
      'a detector for recognition',
      `${predictImage}&model_id=101`,
      'model_id coco-accurate is for object_detection; this operation takes a model for classification',
    ],
    [
      'a classifier for detection',
      `${detection}&model_id=201`,
      'model_id imagenet is for classification; this operation takes a model for object_detection',
    ],
    ['a malformed predicttype', `${predictImage}&predicttype=all`, 'predicttype must be dense or basic'],
    ['an unknown part', `${predictImage}&parts=classes,smells`, partsMessage],
    [
      'a language that cannot be read',
      `${predictImage}&text_languages=de,xx`,
      'text_languages must be a list of cs, da, de, en, es, fi, fr, hu, is, it, nl, no, pl, pt, ro, sv, tr, zh, separated by commas',
    ],
    ['a threshold out of range', `${detection}&conf_thresh=1.01`, number('conf_thresh')],
    ['a threshold below 0', `${detection}&nms_thresh=-0.1`, number('nms_thresh')],
    ['an unknown detail', `${detection}&detail=best`, 'detail must be normal or high'],
    ['a threshold that is no number', `${detection}&nms_thresh=0x1`, number('nms_thresh')],
  ])('%s', async (_name, line, message) => {
    await expectError(status, wrong(message), line, upload);
  });

  test.each(['cats', 'file:///etc/passwd', 'ftp://a.example/b.jpg', '//a.example/b.jpg', 'data:image/png,x'])(
    'the image address is not an http(s) address: %s',
    async (url) => {
      const message = 'the image address is not an http or https address';
      await expectError(status, wrong(message), `${predictImage}&url=${encodeURIComponent(url)}`);
    },
  );

  test('text that is not base64', async () => {
    const message = 'the field image is neither a file nor base64 text';
    const expected = { http: 400, code: 'invalid_image_text', message };
    await expectError(status, expected, predictImage, form('data:image/png;base64,!!!'));
  });

  test.each<[string, Sent]>([
    ['breaks off', { body: upload.body.slice(0, -40), headers: upload.headers }],
    ['has no boundary', { body: upload.body, headers: { 'content-type': 'multipart/form-data' } }],
  ])('a multipart body that %s', async (_name, sent) => {
    const message = 'the form cannot be read: check its boundary and its end';
    await expectError(status, { http: 400, code: 'bad_request', message }, predictImage, sent);
  });
});

describe('Error (No File), 400', () => {
  const message = 'no image: send a file part named image, or give its address as url';
  const expected = { http: 400, code: 'no_file', message };
  test.each<[string, string, Sent | undefined]>([
    ['neither a file nor an address was given', predictImage, undefined],
    ['nor for detection', detection, undefined],
    ['a form without a file', predictImage, multipart([{ name: 'a', content: 'b' }])],
    ['an empty address', `${predictImage}&url=`, undefined],
  ])('%s', async (_name, line, sent) => {
    await expectError('Error (No File)', expected, line, sent);
  });

  test('an empty file', async () => {
    const empty = { ...expected, message: 'the image is empty; was its file read before?' };
    await expectError('Error (No File)', empty, predictImage, form('', 'a.jpg'));
  });

  test('a body of JSON, which is not read', async () => {
    const body = JSON.stringify({ url: 'https://images.example/a.jpg', command: 'create_person' });
    const sent = { body, headers: { 'content-type': 'application/json' } };
    const hint = '; a body of JSON or text is not read here: put parameters into the query or a form';
    await expectError('Error (No File)', { ...expected, message: message + hint }, predictImage, sent);
    const { json } = await ask(service(), 'POST /predict/face?apikey=KEY', sent);
    expect(json.error.message).toBe(`model_id is missing: the id of the perception to search${hint}`);
  });

  test('an empty file at an address', async () => {
    service().runner.script = async () => {
      throw new EngineError('image-empty', 'empty');
    };
    const { status, json } = await ask(service(), `${predictImage}&url=${encodeURIComponent(address())}`);
    expect([status, json.status]).toEqual([400, 'Error (No File)']);
  });
});

describe('Error (Invalid API Key), 401', () => {
  const status = 'Error (Invalid API Key)';
  const refused = (message: string): ExpectedError => ({ http: 401, code: 'invalid_api_key', message });

  test('missing', async () => {
    const message =
      'no API key: give it as the query parameter apikey, in X-API-Key, or as Authorization: Bearer';
    await expectError(status, refused(message), 'POST /predict/image', upload);
  });
  test('unknown', async () => {
    const message =
      'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here';
    await expectError(status, refused(message), 'POST /predict/image?apikey=nobody', upload);
  });
  test.each(['revoked', 'expired'] as const)('%s', async (how) => {
    const key = await spoilKey(service(), how);
    const message =
      'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here';
    await expectError(status, refused(message), `POST /predict/image?apikey=${key}`, upload);
  });
});

test('Error (You Have Reached Your Trial API Call limit), 429; failed calls did not use it up', async () => {
  const trial = await service().makeKey('trial', 1);
  const line = `POST /predict/image?apikey=${trial.key}`;
  expect((await ask(service(), line)).status).toBe(400);
  expect((await ask(service(), line, upload)).status).toBe(200);
  const status = 'Error (You Have Reached Your Trial API Call limit)';
  const { message } = (await ask(service(), line, upload)).json.error;
  await expectError(status, { http: 429, code: 'trial_limit', message }, line, upload);
});

describe('Error (File Too Large), 413', () => {
  const expected = (message: string): ExpectedError => ({ http: 413, code: 'file_too_large', message });
  test.each<[string, Sent]>([
    ['over the byte limit', form(Buffer.alloc(5_000_000, 0xff), 'a')],
    ['a body that is the image itself', { body: Buffer.alloc(5_000_000, 0xff), headers: {} }],
  ])('%s', async (_name, sent) => {
    await expectError(
      'Error (File Too Large)',
      expected('the file is larger than 4194304 bytes'),
      predictImage,
      sent,
    );
  });
  test.each<[string, Buffer, string]>([
    ['base64', Buffer.alloc(4_194_304 * 1.03, 0xff), ''],
    ['base64 in lines', Buffer.alloc(4_194_304 * 1.03, 0xff), '\r\n'],
  ])('an image over the byte limit as %s', async (_name, image, lineEnd) => {
    const text = image.toString('base64').replace(/.{76}/g, `$&${lineEnd}`);
    const sent = multipart([{ name: 'image', content: text }]);
    await expectError(
      'Error (File Too Large)',
      expected('the image is larger than 4194304 bytes'),
      predictImage,
      sent,
    );
  });
  test('a form far over the limit', async () => {
    const sent = multipart([{ name: 'a', content: Buffer.alloc(9_000_000, 'a') }]);
    const { status, json } = await ask(service(), predictImage, sent);
    expect([status, json.status]).toEqual([413, 'Error (File Too Large)']);
    expect(json.error.message).toMatch(/^the form is larger than \d+ bytes; a file in it may have 4194304$/);
  });
});

describe('what inference finds wrong', () => {
  const ofImage = 'the image takes more than the limit';
  test.each<[EngineErrorCode, string, number]>([
    ['image-empty', 'Error (No File)', 400],
    ['image-unsupported', 'Error (Unsupported Image)', 415],
    ['image-corrupt', 'Error (Unsupported Image)', 415],
    ['image-too-large', 'Error (File Too Large)', 413],
    ['image-too-complex', 'Error (Unsupported Image)', 415],
    ['base64-invalid', 'Error (Wrong Parameters)', 400],
    ['busy', 'Error (Service Busy)', 503],
    ['process-crashed', 'Error (Service Busy)', 503],
    ['timeout', 'Error (Service Busy)', 503],
    ['model-missing', 'Error (Internal Error)', 500],
    ['internal', 'Error (Internal Error)', 500],
  ])(
    '%s is %s, %i, with Retry-After where it may pass, and names no file of ours',
    async (code, status, http) => {
      service().runner.script = async () => {
        // The engine composes the texts about images for callers; any other may name a file of ours.
        throw new EngineError(code, code.startsWith('image-') ? ofImage : 'failed on /srv/secret/body-1');
      };
      const before = await service().callsUsed();
      const answer = await ask(service(), predictImage, upload);
      expect([answer.json.status, answer.status]).toEqual([status, http]);
      expect(Object.keys(answer.json)).toEqual(['status', 'error']);
      expect(Object.keys(answer.json.error)).toEqual(['code', 'message', 'request_id']);
      expect(answer.headers['retry-after']).toBe(http === 503 ? '1' : undefined);
      expect(answer.text).not.toContain('secret');
      if (http > 400 && code.startsWith('image-')) expect(answer.json.error.message).toBe(ofImage);
      expect(await service().callsUsed()).toBe(before);
      expect(service().runner.seen).toHaveLength(1);
    },
  );
});

test('Error (Image Address Not Allowed), 403, redirects included', async () => {
  const line = `${predictImage}&url=http://192.168.1.1/`;
  const { json } = await ask(service(), line);
  const expected = { http: 403, code: 'address_not_allowed', message: json.error.message };
  await expectError('Error (Image Address Not Allowed)', expected, line);
  const onward = encodeURIComponent(address().replace('/a', '/redirect?to=http://10.0.0.1/a'));
  expect((await ask(service(), `${predictImage}&url=${onward}`)).json.error.code).toBe('address_not_allowed');
});

test('Error (Image Address Not Reachable), 502: connection, time-out or HTTP error', async () => {
  const at = (path: string) => address().replace(/\/a.*/, path);
  for (const url of ['http://127.0.0.1:1025/', at('/silent'), at('/missing')]) {
    const line = `${predictImage}&url=${encodeURIComponent(url)}`;
    const { json } = await ask(service(), line);
    const expected = { http: 502, code: 'address_not_reachable', message: json.error.message };
    await expectError('Error (Image Address Not Reachable)', expected, line);
  }
});

test('an image is judged where it is, so a good one is not refused', async () => {
  expect((await ask(service(), predictImage, form(image, 'a'))).status).toBe(200);
});
