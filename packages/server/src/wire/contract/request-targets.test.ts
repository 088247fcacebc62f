import { describe, expect, test } from 'vitest';
import { useService } from './fixtures/use-service.js';

/** However a path is written, its answer is that of its generation. */

const service = useService();
const send = async (line: string) => {
  const request = `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
  const [head = '', body = ''] = (await service().sendRaw(request, 10_000)).split('\r\n\r\n');
  return { head, body };
};

describe('an error of v2 has the body of v2', () => {
  test.each([
    '/predict',
    '/predic%74',
    'http://a/predict',
    'HTTP://a:80/predict/',
    '/predict/#a',
    '//predict',
    'http://a//predict//',
  ])('%s', async (path) => {
    const { head, body } = await send(`PUT ${path}?api_key=x`);
    expect(head).toMatch(/^HTTP\/1\.1 401 /);
    expect(JSON.parse(body)).toMatchObject({ predictions: [], status: -1 });
  });
});

describe('a wrong method is 405', () => {
  test.each([
    'DELETE http://a/predict',
    'DELETE /predic%74',
    'PUT http://a/predict/image',
    'PUT //predict//image',
  ])('%s', async (line) => {
    const { head } = await send(line);
    expect(head).toMatch(/^HTTP\/1\.1 405 /);
    expect(head).toMatch(/\r\nallow: (PUT|GET), POST, OPTIONS/i);
  });
});

describe('an error of the management API is a problem, and no page of another origin reads it', () => {
  test.each([
    'GET http://a/api/keys',
    'GET /%61pi/keys',
    'GET /%61pi/nothing',
    'GET http://a/api/nothing',
    'GET //api/keys',
    'GET /api//keys',
    'GET //api///nothing',
  ])('%s', async (line) => {
    const { head } = await send(line);
    expect(head).toMatch(/application\/problem\+json/);
    expect(head).not.toMatch(/access-control-allow-origin/i);
  });
});

describe('several slashes in a row are one', () => {
  test.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    'so that %s asks for the rights of the path',
    async (method) => {
      for (const path of ['/api/keys', '/api/account', '/api/users', '/api/metrics', '/api/nothing']) {
        const written = [path, path.replaceAll('/', '//'), `/${path}`, path.replace('/api/', '/api///')];
        const answers = await Promise.all(
          written.map(async (each) => (await send(`${method} ${each}`)).head),
        );
        const statuses = new Set(answers.map((head) => head.split('\r\n')[0]));
        expect(statuses.size).toBe(1);
        expect([...statuses][0]).toMatch(/ (401|404|405) /);
      }
    },
  );

  test.each([
    '/docs//..//api//keys',
    '//..//api//keys',
    '//v1//..//..//etc//passwd',
    '/assets//..//..//main.js',
  ])('and lead nowhere else: %s', async (path) => {
    expect((await send(`GET ${path}`)).head).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test('a question beforehand about an unknown path is 404', async () => {
  expect((await send('OPTIONS /nope')).head).toMatch(/^HTTP\/1\.1 404 /);
  expect((await send('OPTIONS /predict/image')).head).toMatch(/^HTTP\/1\.1 204 /);
  expect((await send('OPTIONS /readyz')).head).toMatch(/^HTTP\/1\.1 204 /);
});
