import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import type { Sent } from '../../http/fixtures/call-v1.js';
import { multipart } from '../../http/fixtures/test-service.js';
import { ask } from './fixtures/ask.js';
import { picture, upload } from './fixtures/pictures.js';
import { spoilKey } from './fixtures/spoil-key.js';
import { usePictureHost } from './fixtures/use-picture-host.js';
import { useService } from './fixtures/use-service.js';

/** The table of errors of v1, a block a row, with the whole body of each. */

const service = useService({ fetchTimeoutMs: 1000 });
const address = usePictureHost();

interface Told {
  readonly http: number;
  readonly code: string;
  readonly message: string;
}

/** The request must be answered by this error and no other byte, and must not count. */
async function expectError(status: string, told: Told, line: string, sent?: Sent) {
  const before = await service().callsUsed();
  const answer = await ask(service(), line, sent);
  const id = answer.headers['x-request-id'];
  const { code, message } = told;
  expect(answer.text).toBe(
    `{"status": "${status}", "error": {"code": "${code}", "message": ${JSON.stringify(message)}, "request_id": "${id}"}}`,
  );
  expect([answer.status, answer.headers['content-type']]).toEqual([
    told.http,
    'application/json; charset=utf-8',
  ]);
  expect(await service().callsUsed()).toBe(before);
  return answer;
}

const image = 'POST /predict/image?apikey=KEY';
const detection = 'POST /predict/object_detection/?apikey=KEY';
const form = (content: string | Buffer, fileName?: string) =>
  multipart([{ name: 'image', content, ...(fileName === undefined ? {} : { fileName }) }]);

describe('Error (Wrong Parameters), 400', () => {
  const status = 'Error (Wrong Parameters)';
  const wrong = (message: string): Told => ({ http: 400, code: 'wrong_parameters', message });
  const partsMessage = 'parts must be a list of classes, objects, texts, faces, separated by commas';
  const number = (name: string) => `${name} must be a number from 0 to 1`;

  test.each<[string, string, string]>([
    ['an unknown model_id', `${image}&model_id=77`, 'model_id 77 is not one of your models'],
    ['an unknown model_id for detection', `${detection}&model_id=x`, 'model_id x is not one of your models'],
    [
      'a detector for recognition',
      `${image}&model_id=101`,
      'model_id coco-accurate is for object_detection; this operation takes a model for classification',
    ],
    [
      'a classifier for detection',
      `${detection}&model_id=201`,
      'model_id imagenet is for classification; this operation takes a model for object_detection',
    ],
    ['a malformed predicttype', `${image}&predicttype=all`, 'predicttype must be dense or basic'],
    ['an unknown part', `${image}&parts=classes,smells`, partsMessage],
    ['a threshold out of range', `${detection}&conf_thresh=1.01`, number('conf_thresh')],
    ['a threshold below 0', `${detection}&nms_thresh=-0.1`, number('nms_thresh')],
    ['a threshold that is no number', `${detection}&nms_thresh=0x1`, number('nms_thresh')],
  ])('%s', async (_name, line, message) => {
    await expectError(status, wrong(message), line, upload);
  });

  test.each(['cats', 'file:///etc/passwd', 'ftp://a.example/b.jpg', '//a.example/b.jpg', 'data:image/png,x'])(
    'the image address is not an http(s) address: %s',
    async (url) => {
      const message = 'the image address is not an http or https address';
      await expectError(status, wrong(message), `${image}&url=${encodeURIComponent(url)}`);
    },
  );

  test('text that is not base64', async () => {
    const message = 'the field image is neither a file nor base64 text';
    const told = { http: 400, code: 'invalid_picture_text', message };
    await expectError(status, told, image, form('data:image/png;base64,!!!'));
  });

  test.each<[string, Sent]>([
    ['breaks off', { body: upload.body.slice(0, -40), headers: upload.headers }],
    ['has no boundary', { body: upload.body, headers: { 'content-type': 'multipart/form-data' } }],
  ])('a multipart body that %s', async (_name, sent) => {
    const message = 'the form cannot be read: check its boundary and its end';
    await expectError(status, { http: 400, code: 'bad_request', message }, image, sent);
  });
});

describe('Error (No File), 400', () => {
  const message = 'no picture: send a file part named image, or give its address as url';
  const told = { http: 400, code: 'no_file', message };
  test.each<[string, string, Sent | undefined]>([
    ['neither a file nor an address was given', image, undefined],
    ['nor for detection', detection, undefined],
    ['an empty file', image, form('', 'a.jpg')],
    ['a form without a file', image, multipart([{ name: 'a', content: 'b' }])],
    ['an empty address', `${image}&url=`, undefined],
  ])('%s', async (_name, line, sent) => {
    await expectError('Error (No File)', told, line, sent);
  });

  test('an empty file at an address', async () => {
    service().runner.script = async () => {
      throw new EngineError('picture-empty', 'empty');
    };
    const { status, json } = await ask(service(), `${image}&url=${encodeURIComponent(address())}`);
    expect([status, json.status]).toEqual([400, 'Error (No File)']);
  });
});

describe('Error (Invalid API Key), 401', () => {
  const status = 'Error (Invalid API Key)';
  const refused = (message: string): Told => ({ http: 401, code: 'invalid_api_key', message });

  test('missing', async () => {
    const message = 'no API key: give it as the query parameter apikey';
    await expectError(status, refused(message), 'POST /predict/image', upload);
  });
  test('unknown', async () => {
    const message = 'the API key is unknown, revoked or expired';
    await expectError(status, refused(message), 'POST /predict/image?apikey=nobody', upload);
  });
  test.each(['revoked', 'expired'] as const)('%s', async (how) => {
    const key = await spoilKey(service(), how);
    const message = 'the API key is unknown, revoked or expired';
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
  const told = (message: string): Told => ({ http: 413, code: 'file_too_large', message });
  test.each<[string, Sent]>([
    ['over the byte limit', form(Buffer.alloc(5_000_000, 0xff), 'a')],
    ['a body that is the picture itself', { body: Buffer.alloc(5_000_000, 0xff), headers: {} }],
  ])('%s', async (_name, sent) => {
    await expectError('Error (File Too Large)', told('the file is larger than 4194304 bytes'), image, sent);
  });
  test.each<[string, Buffer, string]>([
    ['base64', Buffer.alloc(4_194_304 * 1.03, 0xff), ''],
    ['base64 in lines', Buffer.alloc(4_194_304 * 1.03, 0xff), '\r\n'],
  ])('a picture over the byte limit as %s', async (_name, picture, lineEnd) => {
    const text = picture.toString('base64').replace(/.{76}/g, `$&${lineEnd}`);
    const sent = multipart([{ name: 'image', content: text }]);
    await expectError(
      'Error (File Too Large)',
      told('the picture is larger than 4194304 bytes'),
      image,
      sent,
    );
  });
  test('a form far over the limit', async () => {
    const sent = multipart([{ name: 'a', content: Buffer.alloc(9_000_000, 'a') }]);
    const { status, json } = await ask(service(), image, sent);
    expect([status, json.status]).toEqual([413, 'Error (File Too Large)']);
  });
});

describe('what inference finds wrong', () => {
  test.each<[EngineErrorCode, string, number]>([
    ['picture-empty', 'Error (No File)', 400],
    ['picture-unsupported', 'Error (Unsupported Image)', 415],
    ['picture-corrupt', 'Error (Unsupported Image)', 415],
    ['picture-too-large', 'Error (File Too Large)', 413],
    ['base64-invalid', 'Error (Wrong Parameters)', 400],
    ['busy', 'Error (Service Busy)', 503],
    ['process-lost', 'Error (Service Busy)', 503],
    ['timeout', 'Error (Service Busy)', 503],
    ['model-missing', 'Error (Internal Error)', 500],
    ['internal', 'Error (Internal Error)', 500],
  ])(
    '%s is %s, %i, with Retry-After where it may pass, and names no file of ours',
    async (code, status, http) => {
      service().runner.script = async () => {
        throw new EngineError(code, 'failed on /srv/secret/body-1');
      };
      const before = await service().callsUsed();
      const answer = await ask(service(), image, upload);
      expect([answer.json.status, answer.status]).toEqual([status, http]);
      expect(Object.keys(answer.json)).toEqual(['status', 'error']);
      expect(Object.keys(answer.json.error)).toEqual(['code', 'message', 'request_id']);
      expect(answer.headers['retry-after']).toBe(http === 503 ? '1' : undefined);
      expect(answer.text).not.toContain('secret');
      expect(await service().callsUsed()).toBe(before);
      expect(service().runner.seen).toHaveLength(1);
    },
  );
});

test('Error (Image Address Not Allowed), 403, redirects included', async () => {
  const line = `${image}&url=http://192.168.1.1/`;
  const { json } = await ask(service(), line);
  const told = { http: 403, code: 'address_not_allowed', message: json.error.message };
  await expectError('Error (Image Address Not Allowed)', told, line);
  const onward = encodeURIComponent(address().replace('/a', '/redirect?to=http://10.0.0.1/a'));
  expect((await ask(service(), `${image}&url=${onward}`)).json.error.code).toBe('address_not_allowed');
});

test('Error (Image Address Not Reachable), 502: connection, time-out or HTTP error', async () => {
  const at = (path: string) => address().replace(/\/a.*/, path);
  for (const url of ['http://127.0.0.1:1025/', at('/silent'), at('/missing')]) {
    const line = `${image}&url=${encodeURIComponent(url)}`;
    const { json } = await ask(service(), line);
    const told = { http: 502, code: 'address_not_reachable', message: json.error.message };
    await expectError('Error (Image Address Not Reachable)', told, line);
  }
});

test('a picture is judged where it is, so a good one is not refused', async () => {
  expect((await ask(service(), image, form(picture, 'a'))).status).toBe(200);
});
