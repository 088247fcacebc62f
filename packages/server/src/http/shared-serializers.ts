import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Compile = ReturnType<BuildSerializer>;

/**
 * Makes one serializer of equal schemas, when the first answer by it is written: many routes give the same answers, and to
 * compile all of them took most of the CPU of a start.
 */
export function buildSharedSerializers(...given: Parameters<BuildSerializer>): Compile {
  const compile = SerializerSelector()(...given);
  const made = new Map<string, ReturnType<Compile>>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    const serialize =
      made.get(key) ?? whenFirstCalled(() => compile({ ...route, schema: withoutChoices(route.schema) }));
    made.set(key, serialize);
    return serialize;
  };
}

function whenFirstCalled(make: () => ReturnType<Compile>): ReturnType<Compile> {
  let serialize: ReturnType<Compile> | undefined;
  return (answer) => {
    serialize ??= make();
    return serialize(answer);
  };
}

type Schema = { readonly [key: string]: unknown };

/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Of an object whose properties are all that it writes. */
const plainObject: ReadonlySet<string> = new Set([
  ...['type', 'required', 'properties', 'nullable', 'title', 'description', 'examples'],
]);

/**
 * The same schema with fewer choices (`anyOf`), for serializers. They compile validators of each choice, which takes most of
 * the CPU of a start, and run them at every answer. A value that may be null, or is one of some strings or of some objects, needs none.
 */
export function withoutChoices(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutChoices);
  if (!isSchema(schema)) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [
    key,
    data.has(key) ? part : withoutChoices(part),
  ]);
  const { anyOf, ...rest }: Schema = Object.fromEntries(parts);
  if (!Array.isArray(anyOf)) return { ...rest, ...(anyOf === undefined ? {} : { anyOf }) };
  const others: unknown[] = anyOf.filter((choice) => !isSchema(choice) || choice['type'] !== 'null');
  const only = onlyFormOf(others);
  if (!only) return { ...rest, anyOf };
  return { ...rest, ...only, ...(others.length < anyOf.length ? { nullable: true } : {}) };
}

/** One schema by which all the choices are written alike. */
function onlyFormOf([first, ...others]: readonly unknown[]): Schema | null {
  if (!isSchema(first)) return null;
  if (others.length === 0 && (typeof first['type'] !== 'string' || 'const' in first)) {
    return isString(first) ? { type: 'string' } : null;
  }
  return others.reduce<Schema | null>((form, other) => form && joinForms(form, other), first);
}

/** What writes the values of both schemas; null where only validators can tell which of them to write a value by. */
function joinForms(some: Schema, other: unknown): Schema | null {
  if (!isSchema(other)) return null;
  if (JSON.stringify(some) === JSON.stringify(other)) return some;
  const nullable = some['nullable'] === true || other['nullable'] === true ? { nullable: true } : {};
  if (isString(some) && isString(other)) return { type: 'string', ...nullable };
  if (some['type'] !== other['type']) return null;
  if (some['type'] === 'object') {
    const properties = joinProperties(some, other);
    return properties && { type: 'object', properties, ...nullable };
  }
  if (some['type'] === 'array' && isSchema(some['items'])) {
    const items = joinForms(some['items'], other['items']);
    return items && { type: 'array', items, ...nullable };
  }
  return null;
}

/** The properties of two objects, none of them required: a value has those of one. */
function joinProperties(some: Schema, other: Schema): Schema | null {
  if (![some, other].every((schema) => Object.keys(schema).every((key) => plainObject.has(key)))) return null;
  const [mine, theirs] = [some['properties'], other['properties']];
  if (!isSchema(mine) || !isSchema(theirs)) return null;
  const joined: Record<string, unknown> = { ...mine };
  for (const [name, property] of Object.entries(theirs)) {
    const known = joined[name];
    const form = isSchema(known) ? joinForms(known, property) : property;
    if (form === null) return null;
    joined[name] = form;
  }
  return joined;
}

/** A string without a format: one of a time may also be given as a `Date`. */
function isString(choice: unknown): boolean {
  if (!isSchema(choice)) return false;
  if (choice['type'] === 'string') return !('format' in choice);
  const { enum: values } = choice;
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
