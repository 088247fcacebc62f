import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { V2Answer } from './answers.js';
import { haveDefaultModels } from './default-models.js';
import { openConnection } from './hostile/connection.js';
import { type FarHost, startFarHost } from './hostile/far-host.js';
import { emptyZip, heic, longGif, pngBomb, svg, zip } from './hostile/files.js';
import { type GuardedService, limits, startGuardedService } from './hostile/guarded-service.js';
import { sample, upload } from './sample.js';

/** As docs/errors.md has them: HTTP, the text of v1, the number of v2. */
const documented = {
  wrong_parameters: [400, 'Error (Wrong Parameters)', -4],
  invalid_model: [400, 'Error (Wrong Parameters)', -2],
  no_file: [400, 'Error (No File)', -3],
  invalid_picture_text: [400, 'Error (Wrong Parameters)', -3],
  bad_request: [400, 'Error (Wrong Parameters)', -4],
  invalid_api_key: [401, 'Error (Invalid API Key)', -1],
  file_too_large: [413, 'Error (File Too Large)', -6],
  unsupported_image: [415, 'Error (Unsupported Image)', -3],
  address_not_allowed: [403, 'Error (Image Address Not Allowed)', -8],
  address_not_reachable: [502, 'Error (Image Address Not Reachable)', -8],
} as const;
type Code = keyof typeof documented;

interface ErrorBody {
  readonly status: string | number;
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string };
}

describe.skipIf(!(await haveDefaultModels()))('bad input', () => {
  let service: GuardedService;
  let far: FarHost;
  let callsBefore = 0;
  /** Calls of the test that were answered, and therefore count. */
  let callsAnswered = 0;
  beforeAll(async () => {
    [service, far] = await Promise.all([startGuardedService(), startFarHost(sample)]);
  });
  afterAll(() => Promise.all([service.stop(), far.close()]));
  beforeEach(() => {
    callsBefore = service.callsCounted();
    callsAnswered = 0;
  });
  afterEach(async () => {
    await expect.poll(() => service.filesInSpool()).toEqual([]);
    await expect.poll(() => service.callsCounted() - callsBefore).toBe(callsAnswered);
    await service.expectAlive();
  });

  const v1 = (path: string, query: Readonly<Record<string, string>>, body?: FormData) =>
    fetch(`${service.url}${path}?${new URLSearchParams({ apikey: service.key, ...query })}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
    });
  const v2 = (body: string | object) =>
    fetch(`${service.url}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const expectRefusal = async (answer: Response, code: Code, generation: 1 | 2, what?: string) => {
    const body = (await answer.json()) as ErrorBody;
    const [http, text, number] = documented[code];
    expect([answer.status, body.status, body.error.code], what).toEqual([
      http,
      generation === 1 ? text : number,
      code,
    ]);
    expect(body.error.request_id).toBe(answer.headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toContain(service.key);
  };

  describe('a picture that is none', () => {
    test.each<readonly [string, () => Buffer | Promise<Buffer>, Code]>([
      ['empty', () => Buffer.alloc(0), 'no_file'],
      ['of one byte', () => Buffer.from([0xff]), 'unsupported_image'],
      ['a JPEG cut in half', () => sample.subarray(0, sample.length / 2), 'unsupported_image'],
      ['the first bytes of a JPEG', () => sample.subarray(0, 20), 'unsupported_image'],
      ['a PNG cut in half', async () => halfOf(await sharp(sample).png().toBuffer()), 'unsupported_image'],
      ['noise', () => noise(50_000), 'unsupported_image'],
      ['noise behind the beginning of a JPEG', () => disguised(sample.subarray(0, 4)), 'unsupported_image'],
      ['noise behind the beginning of a HEIC', () => disguised(heic.subarray(0, 32)), 'unsupported_image'],
      ['text', () => Buffer.from('This is not a picture.\n'.repeat(2000)), 'unsupported_image'],
      ['a zip', () => zip, 'unsupported_image'],
      ['an empty zip', () => emptyZip, 'unsupported_image'],
      ['an SVG with references', () => svg, 'unsupported_image'],
      ['a PNG of 361 million pixels', () => pngBomb(19_000, 19_000), 'file_too_large'],
      ['a HEIC cut in half', () => halfOf(heic), 'unsupported_image'],
    ])('%s is refused by both generations', async (_name, make, code) => {
      const file = await make();
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'picture.jpg');
      const startedAt = performance.now();
      await expectRefusal(await v1('/predict/image', {}, form), code, 1);
      await expectRefusal(await v2({ base64str: file.toString('base64') }), code, 2);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(far.asked).toEqual([]);
    });

    test('a GIF of 10,000 frames is answered by its first frame, quickly', async () => {
      const gif = longGif(await sharp(sample).resize(320).gif({ colours: 32 }).toBuffer(), 1);
      const blank = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'white' } })
        .gif()
        .toBuffer();
      const long = Buffer.concat([gif.subarray(0, -1), framesOf(longGif(blank, 9_999))]);
      expect((await sharp(long, { pages: 1 }).metadata()).pages).toBe(10_000);
      const startedAt = performance.now();
      const answer = await v1('/predict/object_detection/', { model_id: '102' }, upload(long));
      expect(answer.status).toBe(200);
      callsAnswered = 1;
      expect(performance.now() - startedAt).toBeLessThan(5000);
      const { predictions } = (await answer.json()) as V2Answer;
      expect(predictions[0]).toMatchObject({ class_title: 'stop sign' });
    });

    test('a HEIC is a picture', async () => {
      const answer = await v1('/predict/object_detection/', { model_id: '102' }, upload(heic));
      expect(answer.status).toBe(200);
      callsAnswered = 1;
    });
  });

  describe('a parameter', () => {
    const picture = { base64str: sample.toString('base64') };
    test.each<readonly [string, Code, object | string]>([
      ['an unknown model', 'invalid_model', { ...picture, model_id: 'nobody' }],
      ['a model of an inherited name', 'invalid_model', { ...picture, model_id: '__proto__' }],
      ['a model that is an object', 'wrong_parameters', { ...picture, model_id: {} }],
      ['conf_thresh above 1', 'wrong_parameters', { ...picture, conf_thresh: 1.01 }],
      ['conf_thresh below 0', 'wrong_parameters', { ...picture, conf_thresh: -0.01 }],
      ['nms_thresh that is text', 'wrong_parameters', { ...picture, nms_thresh: 'high' }],
      ['nms_thresh that is a list', 'wrong_parameters', { ...picture, nms_thresh: [0.4] }],
      [
        'conf_thresh without end',
        'wrong_parameters',
        `{"base64str": "${picture.base64str}", "conf_thresh": 1e999}`,
      ],
      ['conf_thresh NaN', 'bad_request', `{"base64str": "${picture.base64str}", "conf_thresh": NaN}`],
      ['base64 that is none', 'invalid_picture_text', { base64str: '!!! not base64 !!!' }],
      [
        'base64 with a hole in it',
        'invalid_picture_text',
        { base64str: `${picture.base64str.slice(0, 5001)}?AAA` },
      ],
      ['base64str that is a number', 'invalid_picture_text', { base64str: 17 }],
      ['base64str that is null', 'no_file', { base64str: null }],
      ['nothing', 'no_file', {}],
      ['no body', 'no_file', ''],
      ['a list', 'bad_request', '[]'],
      ['half an object', 'bad_request', '{"base64str": "'],
      ['brackets 5,000 deep', 'bad_request', '['.repeat(5000)],
      ['brackets 5 million deep', 'bad_request', `{"a": ${'['.repeat(5_000_000)}`],
      ['objects a million deep', 'bad_request', `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`],
      ['a hundred thousand keys', 'bad_request', JSON.stringify(Object.fromEntries(keys(100_000)))],
      ['a body over the limit', 'file_too_large', `{"base64str": "${'A'.repeat(limits.jsonBytes)}"}`],
    ])('of v2: %s is %s', async (_name, code, body) => {
      await expectRefusal(await v2(body), code, 2);
    });

    test.each<readonly [Code, string, Readonly<Record<string, string>>]>([
      ['invalid_model', '/predict/image', { model_id: '77' }],
      ['wrong_parameters', '/predict/image', { model_id: '101' }],
      ['wrong_parameters', '/predict/image', { parts: '__proto__' }],
      ['wrong_parameters', '/predict/image', { predicttype: 'constructor' }],
      ['wrong_parameters', '/predict/object_detection/', { model_id: 'imagenet' }],
      ['wrong_parameters', '/predict/object_detection/', { conf_thresh: '2' }],
      ['wrong_parameters', '/predict/object_detection/', { conf_thresh: '-1' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: 'NaN' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: '1e999' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: '0.4,0.5' }],
    ])('of v1: %s for %s with %o', async (code, path, query) => {
      await expectRefusal(await v1(path, query, upload(sample)), code, 1);
    });

    test('of v1: a form of 20,000 parts is refused before its end', async () => {
      const form = new FormData();
      for (let index = 0; index < 20_000; index += 1) form.append('image', new Blob(['x']), 'a');
      await expectRefusal(await v1('/predict/image', {}, form), 'bad_request', 1);
    });

    test('that holds a key by mistake is not told back', async () => {
      const answer = await v1('/predict/image', { model_id: service.key }, upload(sample));
      await expectRefusal(answer, 'invalid_model', 1);
    });

    test('of v1: a file over the limit is refused', async () => {
      const large = upload(noise(limits.pictureBytes + 1));
      await expectRefusal(await v1('/predict/image', {}, large), 'file_too_large', 1);
    });
  });

  describe('a key', () => {
    test.each<readonly [string, string, Record<string, string>]>([
      ['none', '', {}],
      ['an empty one', '?apikey=&api_key=', {}],
      ['a wrong one', '?apikey=lyn_wrongwrongwrongwrong&api_key=lyn_wrong', {}],
      ['a wrong one as header', '', { authorization: 'Bearer lyn_wrong' }],
      ['one of 8,000 characters', `?apikey=${'k'.repeat(8000)}`, {}],
      ['one with a NUL in it', '?apikey=a%00b', {}],
      ['one that would be SQL', `?apikey=${encodeURIComponent("' or 1=1 --")}`, {}],
      ['one as a list', '?apikey[]=a&apikey[0]=b', {}],
    ])('%s is refused by both generations', async (_name, query, headers) => {
      const body = upload(sample);
      const first = await fetch(`${service.url}/predict/image${query}`, { method: 'POST', body, headers });
      await expectRefusal(first, 'invalid_api_key', 1);
      const second = await fetch(`${service.url}/predict${query}`, { method: 'PUT', body: '{}', headers });
      await expectRefusal(second, 'invalid_api_key', 2);
    });
  });

  describe('an address', () => {
    const expectBoth = async (address: string, code: Code) => {
      await expectRefusal(await v1('/predict/image', { url: address }), code, 1, address);
      await expectRefusal(await v2({ image_file_url: address }), code, 2, address);
    };

    const forbidden = [
      'http://127.0.0.1/',
      'http://127.0.0.1.:8080/livez',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0x7f.0.0.1/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://0.0.0.0:8080/',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://①②⑦.⓪.⓪.①/',
      'http://127.0.0.2@127.0.0.1/',
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://100.64.0.1/',
      'http://169.254.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://0xa9fea9fe/latest/meta-data/',
      'http://100.100.100.200/',
      'http://168.63.129.16/',
      'http://224.0.0.1/',
      'http://255.255.255.255/',
      'http://[::]/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:127.0.0.2]/',
      'http://[::ffff:7f00:1]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://[ff02::1]/',
      'http://127.0.0.2:22/',
      'http://127.0.0.2:25/',
    ];
    test('of a forbidden place is not allowed, however it is written', async () => {
      for (const address of forbidden) await expectBoth(address, 'address_not_allowed');
    });

    test.each([
      'file:///etc/passwd',
      'gopher://127.0.0.2/',
      'data:image/png;base64,AAAA',
      '//127.0.0.2/',
      'picture.jpg',
    ])('that is none of http or https is a wrong parameter: %s', (address) =>
      expectBoth(address, 'wrong_parameters'),
    );

    test.each<readonly [string, Code]>([
      ['/to-loopback', 'address_not_allowed'],
      ['/twice-to-loopback', 'address_not_allowed'],
      ['/to-metadata', 'address_not_allowed'],
      ['/to-mapped', 'address_not_allowed'],
      ['/to-file', 'address_not_allowed'],
      ['/round', 'address_not_reachable'],
      ['/silent', 'address_not_reachable'],
      ['/drip', 'address_not_reachable'],
      ['/endless', 'file_too_large'],
      ['/vast', 'file_too_large'],
      ['/cut', 'address_not_reachable'],
      ['/reset', 'address_not_reachable'],
      ['/nonsense', 'address_not_reachable'],
      ['/compressed', 'address_not_reachable'],
      ['/missing', 'address_not_reachable'],
      ['/page', 'unsupported_image'],
      ['/nothing', 'no_file'],
    ])('of a host that plays %s is told as %s', async (path, code) => {
      const startedAt = performance.now();
      await expectBoth(far.address(path), code);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });

    test('where nobody listens is not reachable', async () => {
      const gone = await startFarHost(sample);
      await gone.close();
      await expectBoth(gone.address('/picture'), 'address_not_reachable');
    });

    test('of a picture is answered, over a redirect too', async () => {
      for (const path of ['/picture', '/to-picture']) {
        const url = far.address(path);
        const answer = await v1('/predict/object_detection/', { url, model_id: '102' });
        expect(await answer.json()).toMatchObject({
          status: 'ok',
          predictions: [{ class_title: 'stop sign' }],
        });
        callsAnswered += 1;
      }
    });
  });

  describe('a client that goes away', () => {
    const part = '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n';
    test.each([
      ['a form', 'POST /predict/image', `Content-Type: multipart/form-data; boundary=x`, part],
      ['a picture', 'POST /predict/image', 'Content-Type: image/jpeg', ''],
      ['a JSON body', 'PUT /predict', 'Content-Type: application/json', '{"base64str": "'],
      [
        'a URL-encoded form',
        'POST /predict/image',
        'Content-Type: application/x-www-form-urlencoded',
        'image=',
      ],
    ])('in the middle of %s leaves nothing', async (name, line, type, beginning) => {
      const { socket } = await openConnection(service.url);
      socket.write(
        `${line}?apikey=${service.key} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 4000000\r\n\r\n${beginning}`,
      );
      socket.write(Buffer.alloc(2_000_000, 'A'));
      if (!name.startsWith('a URL')) await expect.poll(() => service.filesInSpool()).toHaveLength(1);
      socket.resetAndDestroy();
    });

    test('before its picture was looked at does not pay for it', async () => {
      const { socket } = await openConnection(service.url);
      // Both inference processes are busy meanwhile, so that the picture is still waiting.
      const busy = Array.from({ length: 6 }, () => v1('/predict/image', {}, upload(sample)));
      await expect.poll(() => service.filesInSpool()).not.toEqual([]);
      socket.write(
        `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${sample.length}\r\n\r\n`,
      );
      socket.write(sample, () => setTimeout(() => socket.resetAndDestroy(), 20));
      for (const answer of await Promise.all(busy)) expect(answer.status).toBe(200);
      callsAnswered = busy.length;
    });

    test('in the middle of its answer has been answered', async () => {
      const { socket } = await openConnection(service.url);
      socket.write(
        `POST /predict/object_detection?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${sample.length}\r\n\r\n`,
      );
      socket.write(sample);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.resetAndDestroy();
      callsAnswered = 1;
    });
  });

  test('200 requests at once are answered, or told to come again', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        v1('/predict/object_detection/', { model_id: '102' }, upload(sample)),
      ),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<ErrorBody>));
    const served = answers.filter(({ status }) => status === 200);
    callsAnswered = served.length;
    expect(served.length).toBeGreaterThanOrEqual(limits.queue);
    expect(served.length).toBeLessThan(200);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(bodies[index]).toMatchObject({
        status: 'Error (Service Busy)',
        error: { code: 'service_busy' },
      });
    }
  });
});

const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** The same on every run. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    }),
  );
}

const disguised = (beginning: Buffer) => Buffer.concat([beginning, noise(50_000)]);

const framesOf = (gif: Buffer) => gif.subarray(gif.indexOf(Buffer.from([0x21, 0xf9])));

function* keys(count: number): Generator<[string, number]> {
  for (let index = 0; index < count; index += 1) yield [`key${index}`, index];
}
