import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callV1, type Sent } from '../../http/fixtures/call-v1.js';
import {
  multipart,
  pictureBytes,
  startTestService,
  type TestService,
} from '../../http/fixtures/test-service.js';

let service: TestService;
const picture = pictureBytes(5000);
const upload = multipart([{ name: 'image', fileName: 'a.jpg', type: 'image/jpeg', content: picture }]);

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  expect(await service.filesInSpool()).toEqual([]);
  expect(service.spool.bytesInUse).toBe(0);
});
afterAll(() => service.stop());

describe('an error of v1', () => {
  const broken = { body: upload.body.subarray(0, -40), headers: upload.headers };
  test.each<[string, string, Sent | undefined, number, string, string]>([
    ['neither file nor address', '/predict/image', undefined, 400, 'Error (No File)', 'no_file'],
    [
      'an empty file',
      '/predict/image',
      multipart([{ name: 'image', fileName: 'a', content: '' }]),
      400,
      'Error (No File)',
      'no_file',
    ],
    [
      'a form without a file',
      '/predict/image',
      multipart([{ name: 'a', content: 'b' }]),
      400,
      'Error (No File)',
      'no_file',
    ],
    ['an empty address', '/predict/image?url=', undefined, 400, 'Error (No File)', 'no_file'],
    [
      'an unknown model',
      '/predict/image?model_id=77',
      upload,
      400,
      'Error (Wrong Parameters)',
      'invalid_model',
    ],
    [
      'a detector for recognition',
      '/predict/image?model_id=101',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'a classifier for detection',
      '/predict/object_detection/?model_id=201',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'an unknown predicttype',
      '/predict/image?predicttype=all',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'an unknown part',
      '/predict/image?parts=classes,smells',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'a threshold out of range',
      '/predict/object_detection/?conf_thresh=2',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'a threshold that is no number',
      '/predict/object_detection/?nms_thresh=0x1',
      upload,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'an address that is none',
      '/predict/image?url=cats',
      undefined,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'an address of a file',
      '/predict/image?url=file:///etc/passwd',
      undefined,
      400,
      'Error (Wrong Parameters)',
      'wrong_parameters',
    ],
    [
      'an address inside',
      '/predict/image?url=http://192.168.1.1/',
      undefined,
      403,
      'Error (Image Address Not Allowed)',
      'address_not_allowed',
    ],
    [
      'an address where nobody listens',
      '/predict/image?url=http://127.0.0.1:1025/',
      undefined,
      502,
      'Error (Image Address Not Reachable)',
      'address_not_reachable',
    ],
    [
      'text that is not base64',
      '/predict/image',
      multipart([{ name: 'image', content: 'data:image/png;base64,!!!' }]),
      400,
      'Error (Wrong Parameters)',
      'invalid_picture_text',
    ],
    [
      'a multipart body that breaks off',
      '/predict/image',
      broken,
      400,
      'Error (Wrong Parameters)',
      'bad_request',
    ],
    [
      'a multipart body without a boundary',
      '/predict/image',
      { body: upload.body, headers: { 'content-type': 'multipart/form-data' } },
      400,
      'Error (Wrong Parameters)',
      'bad_request',
    ],
    [
      'a file over the limit',
      '/predict/image',
      multipart([{ name: 'image', fileName: 'a', content: Buffer.alloc(5_000_000, 0xff) }]),
      413,
      'Error (File Too Large)',
      'file_too_large',
    ],
    [
      'a body far over the limit',
      '/predict/image',
      multipart([{ name: 'a', content: Buffer.alloc(9_000_000, 'a') }]),
      413,
      'Error (File Too Large)',
      'file_too_large',
    ],
  ])('%s is told as documented and does not count', async (_name, path, sent, http, status, code) => {
    const before = await service.callsUsed();
    const answer = await callV1(service, path, { sent });
    expect([answer.status, answer.json.status, answer.json.error.code]).toEqual([http, status, code]);
    expect(answer.text).toBe(
      `{"status": "${status}", "error": {"code": "${code}", "message": ${JSON.stringify(answer.json.error.message)}, "request_id": "${answer.headers['x-request-id']}"}}`,
    );
    expect(await service.callsUsed()).toBe(before);
  });

  test('a used-up allowance is told with 429, and failed calls did not use it', async () => {
    const trial = await service.makeKey('trial', 1);
    expect((await callV1(service, '/predict/image', { method: 'GET', key: trial.key })).status).toBe(400);
    expect((await callV1(service, '/predict/image', { sent: upload, key: trial.key })).status).toBe(200);
    const refused = await callV1(service, '/predict/image', { sent: upload, key: trial.key });
    expect([refused.status, refused.json.status]).toEqual([
      429,
      'Error (You Have Reached Your Trial API Call limit)',
    ]);
  });
});
