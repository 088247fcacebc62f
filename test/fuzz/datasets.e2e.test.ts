import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#server/http/fixtures/test-service.js';
import { zipOf } from '#server/training/datasets/fixtures/zips.js';
import { FormatError } from '#server/training/datasets/formats/plan.js';
import { readTree } from '#server/training/datasets/formats/read-tree.js';
import { openTree } from '#server/training/datasets/import/open-tree.js';
import { toTree } from '#server/training/datasets/import/to-tree.js';
import { cases, fuzzing } from './cases.js';
import { mutated } from './mutate.js';

describe('a zip of a dataset', () => {
  let dir: string;
  let valid: readonly Buffer[];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-fuzz-datasets-'));
    valid = await Promise.all([
      zipOf({ 'train/cat/1.jpg': 'one', 'val/dog/2.jpg': 'two' }),
      zipOf({ 'images/1.jpg': 'one', 'labels/1.txt': '0 0.5 0.5 0.1 0.1\n', 'data.yaml': 'names: [cat]\n' }),
      zipOf({ '1.jpg': 'one', 'labels.csv': 'file,class\n1.jpg,cat\n' }),
      zipOf({ 'image_2/1.jpg': 'one', 'label_2/1.txt': 'cat 0 0 -1 1 2 30 40 1 1 1 0 0 0 0\n' }),
      zipOf({
        '1.jpg': 'one',
        'a.json':
          '[{"image":"1.jpg","annotations":[{"label":"cat","coordinates":{"x":9,"y":9,"width":9,"height":9}}]}]',
      }),
      zipOf({
        '1.jpg': 'one',
        'a.xml':
          '<annotations><image name="1.jpg"><polygon label="cat" points="1,2;3,4"/></image></annotations>',
      }),
      zipOf({
        '1.jpg': 'one',
        'a.json':
          '{"1":{"filename":"1.jpg","regions":[{"shape_attributes":{"name":"circle","cx":9,"cy":9,"r":9},"region_attributes":{"a":"cat"}}]}}',
      }),
    ]);
  });
  afterAll(() => rm(dir, { recursive: true }));

  test('whatever it holds is planned or refused in words', fuzzing, async () => {
    const path = join(dir, 'a.zip');
    await fc.assert(
      fc.asyncProperty(mutated(valid), async (bytes) => {
        await writeFile(path, bytes);
        try {
          const tree = await openTree({ kind: 'zip', path });
          try {
            const plan = await readTree(
              toTree(tree, () => undefined),
              null,
            );
            for (const image of plan.images) expect(tree.paths).toContain(image.path);
          } finally {
            tree.close();
          }
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      cases(600),
    );
  });
});

/** What the OpenAPI document says of an operation, as far as it is asked for here. */
interface Operation {
  readonly requestBody?: {
    readonly content?: { readonly 'application/json'?: { readonly schema?: { properties?: object } } };
  };
}

describe('operations on datasets and models', () => {
  let service: TestService;
  let operations: { readonly method: string; readonly path: string; readonly fields: readonly string[] }[];
  const send = async (method: string, path: string, body: string) => {
    const answer = await request(service.base + path, {
      method: method.toUpperCase() as 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  beforeAll(async () => {
    service = await startTestService();
    const made = '{"name":"a","task":"classification"}';
    await send('POST', '/api/datasets', made);
    await send('POST', '/api/datasets/1001/classes', '{"name":"cat"}');
    await send('POST', '/api/models', made);
    const document = await request(`${service.base}/docs/openapi.json`);
    const { paths } = (await document.body.json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    operations = Object.entries(paths)
      .filter(([path]) => /^\/api\/(datasets|models)/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { requestBody }]) => ({
          method,
          path,
          fields: Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {}),
        })),
      )
      .filter(({ fields }) => fields.length > 0);
    expect(operations.length).toBeGreaterThan(10);
  });
  afterAll(() => service.stop());

  const odd = fc.oneof(
    fc.constantFrom(
      'null',
      'true',
      '-1',
      '1e999',
      '9007199254740993',
      '""',
      '"a\\u0000b"',
      '"\\ud800"',
      '[]',
    ),
    fc.constantFrom(
      '{"__proto__":{"a":1}}',
      '[[],{}]',
      '["a","a"]',
      '1001',
      '"cat"',
      '"classification"',
      '0.2',
    ),
    fc.constantFrom(
      '[1,2]',
      '[{"class_id":1001}]',
      '[{"class_id":1001,"box":{"x_min":1e308}}]',
      '["http://["]',
    ),
    fc.json({ maxDepth: 3 }),
  );
  const part = fc.constantFrom(
    '1001',
    '1001',
    '1001',
    '77',
    '0',
    '-1',
    '1e3',
    '%00',
    '9007199254740993',
    'a',
  );

  test('whatever their fields hold, they are done or refused, and never fail', fuzzing, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        part,
        part,
        fc.array(odd, { minLength: 8, maxLength: 8 }),
        async (at, id, of, values) => {
          const operation = operations[at % operations.length];
          if (!operation) return;
          const { method, path, fields } = operation;
          const body = fields.map((name, index) => `${JSON.stringify(name)}:${values[index % 8]}`).join();
          const ids = [id, of];
          const address = path.replace(/\{[^}]*\}/g, () => ids.shift() ?? '1001');
          const { status, text } = await send(method, address, `{${body}}`);
          expect(status, `${method} ${address} {${body}}: ${text}`).toBeLessThan(500);
        },
      ),
      cases(500),
    );
  });
});
