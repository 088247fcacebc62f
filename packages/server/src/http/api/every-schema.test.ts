import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { IsOptional } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { compileCheck } from './check-request.js';

/** One change of a request that fits, and the field that its refusal is about. */
interface Mistake {
  readonly value: unknown;
  readonly message: string;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const field = (schema: TSchema, name: string): unknown => Reflect.get(schema, name);
const branchesOf = (schema: TSchema): readonly TSchema[] => {
  const anyOf = field(schema, 'anyOf');
  return Array.isArray(anyOf) ? anyOf.flatMap((branch: TSchema) => branchesOf(branch)) : [schema];
};
const propertiesOf = (schema: TSchema): readonly (readonly [string, TSchema])[] =>
  Object.entries((field(schema, 'properties') ?? {}) as Record<string, TSchema>);

/** A value that fits, with every field. */
function exampleOf(schema: TSchema): unknown {
  const [first = schema] = branchesOf(schema);
  if (first !== schema) return exampleOf(first);
  if (Object.hasOwn(schema, 'const')) return field(schema, 'const');
  const values = field(schema, 'enum');
  if (Array.isArray(values)) return values[0];
  switch (field(schema, 'type')) {
    case 'object':
      return Object.fromEntries(propertiesOf(schema).map(([name, property]) => [name, exampleOf(property)]));
    case 'array': {
      const items = field(schema, 'items');
      if (Array.isArray(items)) return items.map((item: TSchema) => exampleOf(item));
      const count = Math.max(1, Number(field(schema, 'minItems') ?? 1));
      return Array.from({ length: count }, () => exampleOf(items as TSchema));
    }
    case 'integer':
      return Number(field(schema, 'minimum') ?? 1);
    case 'number': {
      const low = Number(field(schema, 'minimum') ?? field(schema, 'exclusiveMinimum') ?? 0);
      const high = Number(field(schema, 'maximum') ?? field(schema, 'exclusiveMaximum') ?? low + 1);
      return (low + high) / 2;
    }
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema);
    default:
      return null;
  }
}

function textOf(schema: TSchema): string {
  const format = field(schema, 'format');
  if (format === 'date-time') return '2026-01-31T12:00:00Z';
  if (format === 'date') return '2026-01-31';
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const length = Math.max(1, Number(field(schema, 'minLength') ?? 1));
  const pattern = String(field(schema, 'pattern') ?? '.');
  const fits = (candidate: string) => Value.Check(schema, candidate);
  const simple = ['a', '0'].map((letter) => letter.repeat(length)).find(fits);
  const matching = () =>
    fc
      .sample(fc.stringMatching(new RegExp(pattern), { size: 'small' }), { seed: 1, numRuns: 100 })
      .find(fits);
  const text = simple ?? matching();
  texts.set(schema, text ?? '');
  return text ?? '';
}

/** Those that are found for patterns, since that takes time. */
const texts = new Map<TSchema, string>();

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
/** Of another type than any field, and of types that some fields have. */
const wrongValues: readonly unknown[] = [{ 'no such field': 1 }, 3.5, 'no such value', true, [], null];

/** Every field that is left out, unknown, or of another type, at every depth. */
function* mistakesOf(schema: TSchema, path: string, put: (value: unknown) => unknown): Generator<Mistake> {
  for (const branch of branchesOf(schema)) {
    const type = field(branch, 'type');
    if (type === 'array') {
      const items = field(branch, 'items');
      const example = exampleOf(branch) as unknown[];
      for (const index of example.keys()) {
        if (index > 1) break;
        const ofItem = (Array.isArray(items) ? items[index] : items) as TSchema;
        const putItem = (value: unknown) => put(example.map((each, at) => (at === index ? value : each)));
        yield* wrongTypes(ofItem, `${path}[${index}]`, putItem);
        yield* mistakesOf(ofItem, `${path}[${index}]`, (value) =>
          put([value, ...example.slice(1)].slice(0, example.length)),
        );
        if (!Array.isArray(items)) break;
      }
    }
    if (type !== 'object') continue;
    const example = exampleOf(branch) as Record<string, unknown>;
    if (field(branch, 'additionalProperties') === false)
      yield { value: put({ ...example, zzz: 1 }), message: `there is no parameter ${join(path, 'zzz')}` };
    for (const [name, property] of propertiesOf(branch)) {
      const { [name]: _, ...others } = example;
      const isKind =
        name === 'kind' && branchesOf(schema).filter((each) => field(each, 'type') === 'object').length > 1;
      if (!IsOptional(property) && !isKind)
        yield { value: put(others), message: `${join(path, name)} is missing` };
      const putField = (value: unknown) => put({ ...example, [name]: value });
      yield* wrongTypes(property, join(path, name), putField);
      yield* mistakesOf(property, join(path, name), putField);
    }
  }
}

function* wrongTypes(schema: TSchema, path: string, put: (value: unknown) => unknown): Generator<Mistake> {
  const types = new Set(branchesOf(schema).map((branch) => field(branch, 'type')));
  for (const value of wrongValues) {
    if (Value.Check(schema, value)) continue;
    // What a value of its own type lacks is another mistake.
    if (types.has('object') && typeof value === 'object' && value !== null && !Array.isArray(value)) continue;
    yield { value: put(value), message: `${path} must be ` };
  }
}

/** Null for a value that fits. */
const messageIn = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && 'error' in result && result.error instanceof Error
    ? result.error.message
    : null;

test('every mistake in a body, at any depth, is told by the path of its field, for every route', () => {
  const bodies = service.routes.flatMap(({ method, path, schema }) => {
    const body = schema?.body as TSchema | undefined;
    return body !== undefined && path.startsWith('/api/') ? [{ route: `${method} ${path}`, body }] : [];
  });
  expect(bodies.length).toBeGreaterThan(40);
  let count = 0;
  for (const { route, body } of bodies) {
    const check = compileCheck({ schema: body, method: '', url: '', httpPart: 'body' });
    const messageOf = (value: unknown) => messageIn(check(value));
    expect([route, messageOf(exampleOf(body))]).toEqual([route, null]);
    for (const { value, message } of mistakesOf(body, '', (whole) => whole)) {
      count += 1;
      expect([route, messageOf(value)]).toEqual([route, expect.stringContaining(message)]);
      expect([route, messageOf(value)?.startsWith(message)]).toEqual([route, true]);
    }
  }
  expect(count).toBeGreaterThan(1000);
});

test('every mistake in a query is told by its parameter, for every route', () => {
  let count = 0;
  for (const { method, path, schema } of service.routes) {
    const query = schema?.querystring as TSchema | undefined;
    if (query === undefined || !path.startsWith('/api/')) continue;
    const check = compileCheck({ schema: query, method: '', url: '', httpPart: 'querystring' });
    const route = `${method} ${path}`;
    const example = exampleOf(query) as Record<string, unknown>;
    const explain = (value: unknown) => [route, messageIn(check(value))];
    expect(explain(example)).toEqual([route, null]);
    expect(explain({ ...example, zzz: '1' })).toEqual([route, 'there is no parameter zzz']);
    for (const [name, property] of propertiesOf(query)) {
      const { [name]: _, ...others } = example;
      if (!IsOptional(property)) expect(explain(others)).toEqual([route, `${name} is missing`]);
      for (const wrong of ['\u0000', '1.5e', '']) {
        if (Value.Check(property, Value.Convert(property, wrong))) continue;
        count += 1;
        expect(explain({ ...example, [name]: wrong })).toEqual([
          route,
          expect.stringMatching(new RegExp(`^${name} must be `)),
        ]);
      }
    }
  }
  expect(count).toBeGreaterThan(100);
});
