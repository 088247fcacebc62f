import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faceCalls } from '../faces/routes/fixtures/face-calls.js';
import { callApi } from './api/fixtures/call-api.js';
import { apiDocumentPath } from './api-document.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { callV1 } from './fixtures/call-v1.js';
import { isOfOtherService } from './fixtures/other-services.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

interface Media {
  readonly schema: TSchema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}
interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let service: TestService;
let served: Document;
/** The same with every reference replaced by what it names. */
let document: Document;
beforeAll(async () => {
  service = await startTestService({ pathPrefix: '/vision', gathersApiDocument: true });
  served = await read('/docs/openapi.json');
  document = { ...served, paths: withoutReferences(served.paths) as Document['paths'] };
});
afterAll(() => service.stop());

async function read(path: string) {
  const answer = await request(`${service.base}${path}`);
  expect(answer.statusCode).toBe(200);
  return JSON.parse(await answer.body.text());
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  if (!('$ref' in value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutReferences(inner)]));
  }
  const name = String(value.$ref).replace('#/components/schemas/', '');
  return withoutReferences(served.components.schemas[name]);
}

/** `METHOD /path` as the router knows them, but for the pages of the document, questions beforehand, and other services' paths. */
function registered(): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const line of service.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods = ''] = /^([│├└─\s]*)(\S+) \((.*)\)$/.exec(line) ?? [];
    above.length = Math.max(0, indent.length / 4 - 1);
    const path = above.join('') + segment;
    above.push(segment);
    if (methods === '' || path.startsWith('/vision/docs') || path.endsWith('*')) continue;
    const own = path.replace('/vision', '');
    if (isOfOtherService(own)) continue;
    for (const method of methods.split(', ')) found.push(`${method} ${own}`);
  }
  return found.sort();
}

function documented(): string[] {
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1').replace(/(?<=.)\/$/, '')}`,
      ),
    )
    .sort();
}

/** Every object in a document that has this key. */
function* objectsWith(value: unknown, key: string): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && Object.hasOwn(value, key)) yield { ...value };
  for (const inner of Object.values(value)) yield* objectsWith(inner, key);
}

function schemaOf(path: string, method: string, status: string): TSchema {
  const content = document.paths[path]?.[method]?.responses[status]?.content;
  const [media] = Object.values(content ?? {});
  if (!media) throw new Error(`${method} ${path} ${status} has no schema`);
  return media.schema;
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 of this service, under its prefix', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/vision' }]);
  });

  test('is read by services as the routes say it; npm run generate -- api writes it', async () => {
    const withoutPrefix = { ...served, servers: [{ url: '/' }] };
    await expect(`${JSON.stringify(withoutPrefix, null, 2)}\n`).toMatchFileSnapshot(apiDocumentPath);
  });

  test('is answered by services as it was gathered, under their prefix', async () => {
    const reading = await startTestService({ pathPrefix: '/vision' });
    try {
      expect(await (await request(`${reading.base}/docs/openapi.json`)).body.json()).toEqual(served);
    } finally {
      await reading.stop();
    }
  });

  test('is answered as JSON where it is asked for as YAML, which JSON is too', async () => {
    const answer = await request(`${service.base}/docs/yaml`);
    expect([answer.statusCode, answer.headers['location']]).toEqual([302, '/vision/docs/openapi.json']);
    await answer.body.dump();
  });

  test('names what several answers share, and refers to it by name', () => {
    expect(schemaOf('/api/datasets', 'post', '201')).toEqual(
      withoutReferences(served.components.schemas['Dataset']),
    );
    expect(JSON.stringify(served.paths)).toContain('{"$ref":"#/components/schemas/Dataset"}');
    for (const { $ref } of objectsWith(served, '$ref')) {
      expect(Object.keys(served.components.schemas)).toContain(String($ref).split('/').at(-1));
    }
  });

  test('has every route of the service, and no other; none of other services', () => {
    expect(documented().filter((each) => isOfOtherService(each.split(' ')[1] ?? ''))).toEqual([]);
    expect(documented()).toEqual(registered());
    expect(documented()).toContain('DELETE /api/keys/:id');
    expect(documented()).toContain('PUT /predict');
  });

  test('names every operation once and says what each is for', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operationId, summary, responses } of operations) {
      expect([operationId, summary]).toEqual([expect.any(String), expect.any(String)]);
      for (const { description } of Object.values(responses)) {
        expect([operationId, description]).not.toEqual([operationId, 'Default Response']);
      }
    }
  });

  test('shows examples that fit their schemas', () => {
    let seen = 0;
    for (const { schema, example } of objectsWith(document, 'example')) {
      seen += 1;
      expect([example, [...Value.Errors(schema as TSchema, example)]]).toEqual([example, []]);
    }
    for (const schema of objectsWith(document, 'examples')) {
      // A property may be called so too.
      if (!Array.isArray(schema['examples'])) continue;
      for (const example of schema['examples']) {
        seen += 1;
        expect([example, [...Value.Errors(schema as TSchema, example)]]).toEqual([example, []]);
      }
    }
    expect(seen).toBeGreaterThan(30);
  });
});

describe('real answers are as the document says', () => {
  const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(500) }]);
  const fits = (schema: TSchema, answer: unknown) =>
    expect([...Value.Errors(schema, answer)], JSON.stringify(answer)).toEqual([]);

  test.each([
    ['/predict/image', '/predict/image', '200'],
    ['/predict/image', '/predict/image?predicttype=basic&parts=objects,texts', '200'],
    ['/predict/image', '/predict/image?model_id=201', '200'],
    ['/predict/image', '/predict/image?model_id=999', 'default'],
    ['/predict/object_detection/', '/predict/object_detection/', '200'],
  ])('%s: %s', async (path, call, status) => {
    const { json } = await callV1(service, call, { sent });
    fits(schemaOf(path, 'post', status), json);
  });

  test.each([
    ['boxes', { base64str: imageBytes(500).toString('base64') }, '200'],
    ['classes', { base64str: imageBytes(500).toString('base64'), model_id: 201 }, '200'],
    ['an error', {}, 'default'],
  ])('/predict: %s', async (_name, body, status) => {
    const { json } = await callApi(service, '/predict', { method: 'PUT', body });
    fits(schemaOf('/predict', 'put', status), json);
  });

  test.each(['/livez', '/readyz', '/api/account', '/api/files', '/api/keys', '/api/usage'])(
    '%s',
    async (path) => {
      const { status, json } = await callApi(service, path);
      fits(schemaOf(path, 'get', String(status)), json);
    },
  );

  test('faces: a perception, a person, an image, a search, a correction, a receipt', async () => {
    const api = faceCalls(service);
    const modelId = await api.makePerception();
    const personId = await api.makePerson(modelId, 'Ada');
    const of = `/api/perceptions/${modelId}`;
    for (const [path, method, status, json] of [
      ['/api/perceptions', 'get', '200', (await api.get('/api/perceptions')).json],
      ['/api/perceptions/{id}', 'get', '200', (await api.get(of)).json],
      ['/api/people/{id}/images', 'post', '201', (await api.send(`/api/people/${personId}/images`, 0)).json],
      ['/api/people/{id}/images', 'post', '200', (await api.send(`/api/people/${personId}/images`)).json],
      ['/api/people/{id}/images', 'get', '200', (await api.get(`/api/people/${personId}/images`)).json],
      ['/api/perceptions/{id}/people', 'get', '200', (await api.get(`${of}/people`)).json],
      ['/api/perceptions/{id}/search', 'post', '200', (await api.send(`${of}/search`, 1, 90)).json],
      [
        '/api/people/{id}/corrections',
        'post',
        '201',
        (await api.send(`/api/people/${personId}/corrections`, 90)).json,
      ],
      ['/api/perceptions/{id}', 'delete', '200', (await api.remove(of)).json],
      ['/api/perceptions/{id}', 'get', 'default', (await api.get(of)).json],
    ] as const) {
      fits(schemaOf(path, method, status), json);
    }
  });

  test('a file, and the error when there is none', async () => {
    const { json: found } = await callV1(service, '/predict/image', { sent });
    const { json } = await callApi(service, `/api/files/${found.fileid}`);
    fits(schemaOf('/api/files/{fileid}', 'get', '200'), json);
    const none = await callApi(service, `/api/files/${'0'.repeat(32)}`);
    fits(schemaOf('/api/files/{fileid}', 'get', 'default'), none.json);
  });
});

describe('the page to read it with', () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  test.each(['/docs', '/docs/'])(
    'at %s takes everything from our own origin, without a key',
    async (path) => {
      const answer = await request(`${service.base}${path}`);
      const page = await answer.body.text();
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-security-policy']).toBe(policy);
      const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(4);
      for (const link of links) {
        const address = new URL(link, `${service.base}${path}`);
        expect(address.origin).toBe(new URL(service.base).origin);
        const part = await request(address);
        await part.body.dump();
        expect([link, part.statusCode]).toEqual([link, 200]);
      }
      // A script or style in the page itself would need a weaker policy.
      expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    },
  );

  test('gives away no other file', async () => {
    for (const path of ['/docs/static/..%2findex.js', '/docs/static/%2e%2e/package.json', '/docs/x']) {
      const answer = await request(`${service.base}${path}`);
      await answer.body.dump();
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
  });
});
