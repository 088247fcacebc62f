import { describe, expect, test } from 'vitest';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import type { Sent } from '../../http/fixtures/call-v1.js';
import { v2Detection } from './fixtures/answers.js';
import { ask } from './fixtures/ask.js';
import { base64str, image, upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

/** What published programs send, a block each, named after what the server must do. */

const service = useService();
const address = useImageHost();
const encoded = () => encodeURIComponent(address());
const wrapped = (width: number, lineEnd: string) =>
  base64str.replace(new RegExp(`(.{${width}})`, 'g'), `$1${lineEnd}`);
const expectSeen = (bytes: Buffer = image) =>
  expect(service().runner.seen.map((seen) => seen.bytes.equals(bytes))).toEqual([true]);

describe('parse the v2 body as JSON whatever the content type says', () => {
  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['application/json', { 'content-type': 'application/json' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart without a boundary', { 'content-type': 'multipart/form-data' }],
    ['one that is no media type', { 'content-type': ';;nonsense' }],
  ])('%s', async (_name, headers) => {
    const sent = { ...withImage({ model_id: 'coco-fast' }), headers };
    expect((await ask(service(), 'PUT /predict?api_key=KEY', sent)).text).toBe(v2Detection());
    expectSeen();
  });
});

describe('accept any supported image in base64str, with or without line breaks or a data URL prefix', () => {
  test.each([
    ['as one line', base64str],
    ['with line breaks', wrapped(76, '\r\n')],
    ['with a data:…;base64, prefix', `data:image/png;base64,${base64str}`],
    ['with both', `data:image/webp;base64,\n${wrapped(64, '\n')}`],
    ['without padding', base64str.replace(/=+$/, '')],
    ['in the URL-safe alphabet', image.toString('base64url')],
  ])('%s', async (_name, text) => {
    const sent = withImage({ base64str: text });
    expect((await ask(service(), 'PUT /predict?api_key=KEY', sent)).status).toBe(200);
    expectSeen();
  });

  test('large ones too, which go by a file', async () => {
    for (const size of [500_000, 2_000_000]) {
      const large = imageBytes(size);
      const sent = withImage({ base64str: large.toString('base64'), junk: [1] });
      expect((await ask(service(), 'PUT /predict?api_key=KEY', sent)).status).toBe(200);
      expect(service().runner.seen[0]?.kind).toBe('file');
      expectSeen(large);
      service().runner.seen.length = 0;
    }
  });
});

describe('read the first file part, also when it bears another name', () => {
  test.each<[string, Sent]>([
    ['image', upload],
    ['another name', multipart([{ name: 'upload', fileName: 'x', content: image }])],
    [
      'the first of two',
      multipart([
        { name: 'a', fileName: 'a', content: image },
        { name: 'image', fileName: 'b', content: 'not this' },
      ]),
    ],
    [
      'a file after a text field image',
      multipart([
        { name: 'image', content: '' },
        { name: 'f', fileName: 'f', content: image },
      ]),
    ],
    [
      'a file after a text field image that looks like broken base64',
      multipart([
        { name: 'image', content: 'hello' },
        { name: 'f', fileName: 'f', content: image },
      ]),
    ],
    [
      'one of another name without a file name',
      multipart([{ name: 'p', type: 'image/png', content: image }]),
    ],
    ['without a file name', multipart([{ name: 'image', type: 'image/jpeg', content: image }])],
  ])('%s', async (_name, sent) => {
    expect((await ask(service(), 'POST /predict/image?apikey=KEY', sent)).status).toBe(200);
    expectSeen();
  });
});

describe('treat a text field image holding a data URL or bare base64 as the image', () => {
  test.each<[string, Sent]>([
    ['a data URL', multipart([{ name: 'image', content: `data:image/png;base64,${base64str}` }])],
    ['bare base64', multipart([{ name: 'image', content: base64str }])],
    ['bare base64 with line breaks', multipart([{ name: 'image', content: wrapped(76, '\n') }])],
    [
      'bare base64 URL-encoded, its plus signs left as they are',
      {
        body: `image=${base64str.replaceAll('/', '%2F')}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    [
      'a data URL in a URL-encoded form',
      {
        body: `image=${encodeURIComponent(`data:image/jpeg;base64,${base64str}`)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
  ])('%s', async (_name, sent) => {
    expect((await ask(service(), 'POST /predict/image?apikey=KEY', sent)).status).toBe(200);
    expectSeen();
  });

  test('a large one too, which goes by a file', async () => {
    const large = imageBytes(1_500_000);
    const sent = multipart([{ name: 'image', content: large.toString('base64') }]);
    await ask(service(), 'POST /predict/image?apikey=KEY', sent);
    expectSeen(large);
  });
});

describe('judge the bytes, never the declared type or name', () => {
  test.each([
    ['application/octet-stream', 'x.txt'],
    ['text/html', 'page.html'],
    ['image/svg+xml', '../../x.svg'],
  ])('%s, %s', async (type, fileName) => {
    const sent = multipart([{ name: 'image', fileName, type, content: image }]);
    expect((await ask(service(), 'POST /predict/object_detection?apikey=KEY', sent)).status).toBe(200);
    expectSeen();
  });

  test('a body that is the image itself, and a large file, arrive whole', async () => {
    const raw = { body: image, headers: { 'content-type': 'image/jpeg' } };
    expect((await ask(service(), 'POST /predict/image?apikey=KEY', raw)).status).toBe(200);
    expectSeen();
    service().runner.seen.length = 0;
    const large = imageBytes(1_500_000);
    const sent = multipart([{ name: 'image', fileName: 'a', content: large }]);
    await ask(service(), 'POST /predict/image?apikey=KEY', sent);
    expectSeen(large);
  });
});

describe('accept GET and POST alike on every v1 path, with a browser User-Agent', () => {
  const browser = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36' };
  test.each(['/predict/image', '/predict/object_detection/'])('%s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const line = `${method} ${path}?url=${encoded()}&apikey=KEY`;
      expect((await ask(service(), line, { headers: browser })).json.status).toBe('ok');
    }
  });
});

describe('not choke on an empty JSON body', () => {
  const headers = { 'content-type': 'application/json' };
  test.each(['', '{}', 'null'])('%j', async (body) => {
    const line = `POST /predict/image?url=${encoded()}&apikey=KEY`;
    expect((await ask(service(), line, { body, headers })).json.status).toBe('ok');
    expectSeen();
  });
  test('nor by GET', async () => {
    const line = `GET /predict/image?url=${encoded()}&apikey=KEY`;
    expect((await ask(service(), line, { body: '', headers })).json.status).toBe('ok');
  });
  test('nor without an address: that is no file', async () => {
    expect(
      (await ask(service(), 'POST /predict/image?apikey=KEY', { body: '', headers })).json.error.code,
    ).toBe('no_file');
  });
});

test('honour predicttype=basic and predicttype=dense in the query', async () => {
  const predictionsOf = async (type: string) => {
    const { json } = await ask(service(), `POST /predict/image?predicttype=${type}&apikey=KEY`, upload);
    expect([json.predicttype, json.predict_type]).toEqual([type, type]);
    return json.objects.predictions.map(
      (each: { sub_predictions: unknown[] }) => each.sub_predictions.length,
    );
  };
  expect(await predictionsOf('dense')).toEqual([1, 0, 0]);
  expect(await predictionsOf('basic')).toEqual([0, 0, 0]);
});

test('give texts the same coordinate string, x1,x2,y1,y2; the polygon goes into an added key', async () => {
  const { json } = await ask(service(), 'POST /predict/image?apikey=KEY', upload);
  expect(Object.keys(json.texts.predictions[0])).toEqual(['text_value', 'coordinates', 'score', 'polygon']);
  expect(json.texts.predictions[0].coordinates).toBe('10,201,20,61');
});

test('add parent_object to a class prediction that describes an object, absent otherwise', async () => {
  const { json } = await ask(service(), 'POST /predict/image?apikey=KEY', upload);
  const parents = (list: { parent_object?: string }[]) => list.map((each) => each.parent_object);
  expect(parents(json.predictions)).toEqual(['dog', undefined, 'cat', undefined]);
  expect(json.predictions[1]).not.toHaveProperty('parent_object');
  expect(parents(json.objects.predictions[0].sub_predictions)).toEqual(['dog']);
});

test('accept image_file_url under the same rules as url', async () => {
  const sent = (image_file_url: string) => ({ body: JSON.stringify({ image_file_url, model_id: 102 }) });
  expect((await ask(service(), 'PUT /predict?api_key=KEY', sent(address()))).text).toBe(v2Detection());
  expectSeen();
  const codeOf = async (given: string) =>
    (await ask(service(), 'PUT /predict?api_key=KEY', sent(given))).json.error.code;
  expect(await codeOf('ftp://example.org/a.jpg')).toBe('wrong_parameters');
  expect(await codeOf('http://10.0.0.1/a.jpg')).toBe('address_not_allowed');
  expect(await codeOf('http://127.0.0.1:1025/')).toBe('address_not_reachable');
});
