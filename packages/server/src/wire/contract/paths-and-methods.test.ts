import { describe, expect, test } from 'vitest';
import { multipart } from '../../http/fixtures/bodies.js';
import { isBehindNginx } from '../../http/fixtures/test-service.js';
import { customDetection, v2Detection } from './fixtures/answers.js';
import { ask } from './fixtures/ask.js';
import { base64str, image, upload, withImage } from './fixtures/images.js';
import { predictPaths } from './fixtures/predict-paths.js';
import { useService } from './fixtures/use-service.js';

const service = useService();
/** The connections here end by themselves. */
const patienceMs = 10_000;
const v1Error = (status: string, code: string, message: string, id: unknown) =>
  `{"status": "${status}", "error": {"code": "${code}", "message": "${message}", "request_id": "${id}"}}`;
const v2Error = (number: number, text: string, code: string, message: string, id: unknown) =>
  `{"predictions": [], "model_type": null, "status": ${number}, "status_description": "${text}", ` +
  `"error": {"code": "${code}", "message": "${message}", "request_id": "${id}"}}`;

const notHttp =
  'the request is not valid HTTP; in an address a space is written %20, and what is beyond ASCII percent-encoded too';

describe('a path is matched with and without its trailing slash', () => {
  test.each(['/predict/object_detection', '/predict/object_detection/'])('%s', async (path) => {
    const { text } = await ask(service(), `POST ${path}?model_id=102&apikey=KEY`, upload);
    expect(text).toBe(customDetection(102));
  });
  test.each(['/predict/image', '/predict/image/'])('%s', async (path) => {
    expect((await ask(service(), `POST ${path}?apikey=KEY`, upload)).json.status).toBe('ok');
  });
  test.each(['/predict', '/predict/'])('%s', async (path) => {
    const sent = withImage({ model_id: 'coco-fast' });
    expect((await ask(service(), `PUT ${path}?api_key=KEY`, sent)).text).toBe(v2Detection());
    expect((await ask(service(), `PUT ${path}?api_key=no`, sent)).json.status).toBe(-1);
  });
});

describe('unknown query parameters, form fields and body keys are ignored', () => {
  test('on v1', async () => {
    const form = multipart([
      { name: 'colour', content: 'blue' },
      { name: 'image', fileName: 'a', content: image },
      { name: '__proto__', content: 'x' },
    ]);
    const { status } = await ask(service(), 'POST /predict/image?apikey=KEY&x=1&x=2&[]=3&y', form);
    expect(status).toBe(200);
  });
  test('on v2', async () => {
    const sent = withImage({ more: { deep: [1, 2] }, conf: 7 });
    expect((await ask(service(), 'PUT /predict?api_key=KEY&x=1&x=2&conf_thresh=9', sent)).status).toBe(200);
  });
});

test('a query key given twice: the first counts', async () => {
  const twice = '/predict/image?predicttype=basic&predicttype=dense&apikey=KEY&apikey=wrong';
  const { status, json } = await ask(service(), `POST ${twice}`, upload);
  expect([status, json.predicttype]).toEqual([200, 'basic']);
  expect((await ask(service(), 'PUT /predict?api_key=wrong&api_key=KEY', withImage())).status).toBe(401);
});

test('GET with a multipart body is read like POST', async () => {
  const head =
    `GET /predict/object_detection/?model_id=102&apikey=${service().key} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n` +
    `Content-Type: ${upload.headers['content-type']}\r\nContent-Length: ${upload.body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), Buffer.from(upload.body)]);
  const [headers, body] = (await service().sendRaw(request, patienceMs)).split('\r\n\r\n');
  expect(headers).toMatch(/^HTTP\/1\.1 200 /);
  expect(body).toBe(customDetection(102));
});

test('v2 takes POST as well', async () => {
  const { text } = await ask(service(), 'POST /predict?api_key=KEY', withImage({ model_id: 102 }));
  expect(text).toBe(v2Detection());
});

describe.each(predictPaths)('%s', (path, methods) => {
  const isV2 = path === '/predict';

  test('HEAD is 405; it never creates or charges', async () => {
    const before = await service().callsUsed();
    for (const query of ['url=http://127.0.0.1:1025/', 'command=create_person&model_id=1&person_name=A']) {
      const { status, text } = await ask(service(), `HEAD ${path}?apikey=KEY&${query}`);
      expect([status, text]).toEqual([405, '']);
    }
    expect(await service().callsUsed()).toBe(before);
  });

  test('OPTIONS needs no key, and a pre-flight allows any origin without credentials', async () => {
    expect((await ask(service(), `OPTIONS ${path}`)).status).toBe(204);
    for (const method of [...methods, 'PUT']) {
      const { status, headers } = await ask(service(), `OPTIONS ${path}`, {
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,x-api-key,authorization',
        },
      });
      expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(headers['access-control-allow-methods']).toContain(method);
      expect(headers['access-control-allow-headers']).toBe('content-type,x-api-key,authorization');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('CORS headers stand on errors too', async () => {
    const origin = { headers: { origin: 'https://page.example' } };
    for (const [line, status] of [
      [`POST ${path}?apikey=no`, 401],
      [`POST ${path}?apikey=KEY`, 400],
      [`DELETE ${path}`, 405],
      [`POST ${path}/other`, 404],
    ] as const) {
      const answer = await ask(service(), line, origin);
      expect([answer.status, answer.headers['access-control-allow-origin']], line).toEqual([status, '*']);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers['access-control-expose-headers']).toBe('X-Request-Id, X-File-Id, Retry-After');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('a wrong method is 405 with Allow and the body of its generation', async () => {
    const allowed = `${methods.join(', ')}, OPTIONS`;
    for (const method of ['DELETE', 'PATCH', isV2 ? 'GET' : 'PUT'])
      for (const slash of ['', '/']) {
        const { status, headers, text } = await ask(service(), `${method} ${path}${slash}`);
        expect([status, headers['allow']]).toEqual([405, allowed]);
        const id = headers['x-request-id'];
        const [code, message] = ['method_not_allowed', `this path takes ${allowed}`];
        expect(text).toBe(
          isV2
            ? v2Error(-4, 'Error (Method Not Allowed)', code, message, id)
            : v1Error('Error (Method Not Allowed)', code, message, id),
        );
      }
  });
});

describe('an unknown path is 404 with the body of v1', () => {
  const unknown = [
    '/',
    '/predict/other',
    '/apis',
    '/constructor',
    '/predict/image/x',
    '/v2/predict',
    '/v1/predict/image',
    '/predict2',
  ];
  test.each(unknown)('%s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, headers, text } = await ask(service(), `${method} ${path}`, {
        ...(method === 'POST' ? { body: 'x' } : {}),
        headers: { 'content-type': 'odd' },
      });
      expect([status, headers['access-control-allow-origin']]).toEqual([404, '*']);
      expect(text).toBe(
        v1Error('Error (Not Found)', 'not_found', 'there is nothing at this path', headers['x-request-id']),
      );
    }
  });
});

// nginx has a parser of its own.
describe.skipIf(isBehindNginx)(
  'a request line that the parser of HTTP refuses gets a JSON body with its 400',
  () => {
    test.each([
      ['a raw space in it', 'GET /predict/image?url=http://a/b c.jpg&apikey=k'],
      ['one in a name', 'POST /predict/face?command=create_person&person_name=Ada L&apikey=k'],
      ['a raw character beyond ASCII', 'GET /predict/image?url=http://a/ü.jpg&apikey=k'],
    ])('%s', async (_what, line) => {
      const text = await service().sendRaw(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`, patienceMs);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head).toMatch(
        /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json; charset=utf-8\r\n/,
      );
      expect(head).toContain(`Content-Length: ${body.length}`);
      expect(head).toContain('Access-Control-Allow-Origin: *');
      const id = /X-Request-Id: (\S+)/.exec(head)?.[1];
      expect(body).toBe(v1Error('Error (Wrong Parameters)', 'bad_request', notHttp, id));
    });

    test('also on a connection that had an answer before', async () => {
      const line = 'GET /predict/image?url=http://a/b c.jpg&apikey=k HTTP/1.1\r\nHost: a\r\n\r\n';
      const text = await service().sendRaw('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n', patienceMs, line);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
      expect(text).toContain('"code": "bad_request"');
    });

    test.each([
      ['headers that are too large', 431, `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`],
      ['a path that is no valid percent-encoding', 400, 'GET /%zz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ])('so do %s: %i', async (_what, http, request) => {
      const text = await service().sendRaw(request, patienceMs);
      expect(text).toContain(`HTTP/1.1 ${http} `);
      expect(text).toContain('"code": "bad_request"');
    });
  },
);

describe('v1 and v2 share one listener', () => {
  // nginx refuses a request without a host itself.
  const without = isBehindNginx ? [] : ['Host: \r\n', ''];
  test.each(['Host: v2.example.org\r\n', 'Host: [::1]:99999\r\n', ...without])(
    'and the Host header is not looked at: %j',
    async (host) => {
      const body = JSON.stringify({ base64str, model_id: 102 });
      const put = `PUT /predict?api_key=${service().key} HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`;
      const get = `GET /predict/image?apikey=no HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
      const answers = await service().sendRaw(put + get, patienceMs);
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
      expect(answers).toContain(v2Detection());
    },
  );
});

describe('a path prefix is a setting', () => {
  const prefixed = useService({ pathPrefix: '/vision/one' });
  test('all lies under it and nothing beside it', async () => {
    expect((await ask(prefixed(), 'POST /predict/image?apikey=KEY', upload)).status).toBe(200);
    expect((await ask(prefixed(), 'GET /predict')).json.status).toBe(-4);
    expect((await ask(prefixed(), 'GET /livez')).status).toBe(200);
    const outside = { ...prefixed(), base: `http://127.0.0.1:${prefixed().port}` };
    for (const path of ['/predict/image', '/vision/predict/image', '/predict', '/vision/one'])
      expect((await ask(outside, `POST ${path}?apikey=KEY`)).status).toBe(404);
  });
});
