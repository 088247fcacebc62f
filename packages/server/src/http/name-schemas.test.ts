import { expect, test } from 'vitest';
import { nameSchemas } from './name-schemas.js';

const box = { type: 'object', title: 'Box', properties: { x: { type: 'integer' } } };

test('a schema with a name is replaced by a reference wherever it is, within named ones too', () => {
  const found = { type: 'object', title: 'Found', properties: { box, title: { type: 'string' } } };
  expect(nameSchemas({ '/a': [found, { anyOf: [box, { type: 'null' }] }] })).toEqual({
    paths: {
      '/a': [
        { $ref: '#/components/schemas/Found' },
        { anyOf: [{ $ref: '#/components/schemas/Box' }, { type: 'null' }] },
      ],
    },
    schemas: {
      Box: { type: 'object', properties: { x: { type: 'integer' } } },
      Found: {
        type: 'object',
        properties: { box: { $ref: '#/components/schemas/Box' }, title: { type: 'string' } },
      },
    },
  });
});

test('examples and parameters stay as they are', () => {
  const paths = {
    example: { title: 'Conflict' },
    examples: [{ title: 'Dog' }],
    parameters: [{ schema: box }],
  };
  expect(nameSchemas(paths)).toEqual({ paths, schemas: {} });
});

test('two schemas of one name are refused', () => {
  expect(() => nameSchemas({ '/a': box, '/b': { ...box, properties: {} } })).toThrow(
    'Two different schemas have the title Box.',
  );
});
