import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { withoutChoices } from './shared-serializers.js';

const route = { method: 'GET', url: '/', httpStatus: '200' };
const serializerOf = (schema: unknown) => SerializerSelector()({}, {})({ ...route, schema });

const Schema = Type.Object({
  name: Type.Union([Type.String(), Type.Null()]),
  seen: Type.Optional(Type.Union([Type.Null(), Type.Integer()])),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  plan: Type.Union([Type.Enum(['paid', 'trial']), Type.Null()]),
  box: Type.Union([
    Type.Object({ x: Type.Number(), of: Type.Union([Type.String(), Type.Null()]) }),
    Type.Null(),
  ]),
  list: Type.Union([Type.Array(Type.Union([Type.Boolean(), Type.Null()])), Type.Null()]),
  either: Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
  target: Type.Union([
    Type.Object({ kind: Type.Literal('ftp'), list: Type.Array(Type.Object({ x: Type.Integer() })) }),
    Type.Object({ kind: Type.Literal('s3'), list: Type.Array(Type.Object({ y: Type.Boolean() })) }),
  ]),
  count: Type.Union([Type.Integer(), Type.String()]),
  anyOf: Type.String({ default: 'anyOf' }),
});

test.each([
  {
    name: 'a"b',
    seen: 7,
    state: 'open',
    plan: 'paid',
    box: { x: 1.5, of: 'c' },
    list: [true, null],
    either: { b: 'd' },
    target: { kind: 's3', list: [{ y: true }] },
    count: 7,
    anyOf: 'e',
  },
  {
    name: null,
    seen: null,
    state: 'closed',
    plan: null,
    box: { x: 0, of: null },
    list: [],
    either: { a: '' },
    target: { kind: 'ftp', list: [{ x: 1 }, { x: 2 }] },
    count: 'many',
    anyOf: '',
  },
  {
    name: '',
    state: 'open',
    plan: null,
    box: null,
    list: null,
    either: { a: 'd' },
    target: { kind: 's3', list: [] },
    count: 0,
    anyOf: 'e',
  },
])('an answer is the same to the byte without the choices: %j', (answer) => {
  const written = serializerOf(withoutChoices(Schema))(answer);
  expect(written).toBe(serializerOf(Schema)(answer));
  expect(JSON.parse(written)).toEqual(answer);
});

test('leaves a choice that only validators can distinguish', () => {
  const left = JSON.stringify(withoutChoices(Schema));
  expect(left.match(/"anyOf":\[/g)).toHaveLength(1);
});

test('writes what no form of an object declares as little as before', () => {
  const write = serializerOf(withoutChoices(Schema.properties.target));
  expect(write({ kind: 'ftp', list: [{ x: 1, secret: 's' }], password: 'p' })).toBe(
    '{"kind":"ftp","list":[{"x":1}]}',
  );
});

test('leaves objects with properties of any name as they are', () => {
  const open = Type.Union([
    Type.Object({ a: Type.String() }, { additionalProperties: true }),
    Type.Object({ b: Type.String() }),
  ]);
  expect(withoutChoices(open)).toHaveProperty('anyOf');
});

test('does not write null where the schema has none', () => {
  const write = serializerOf(withoutChoices(Type.Object({ name: Type.String() })));
  expect(write({ name: null })).toBe('{"name":""}');
});
