import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Compile = ReturnType<BuildSerializer>;

/**
 * Makes one serializer of equal schemas: many routes give the same answers, and to compile them took most of the CPU of a start.
 */
export function buildSharedSerializers(...given: Parameters<BuildSerializer>): Compile {
  const compile = SerializerSelector()(...given);
  const made = new Map<string, ReturnType<Compile>>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    const serialize = made.get(key) ?? compile({ ...route, schema: withoutChoices(route.schema) });
    made.set(key, serialize);
    return serialize;
  };
}

type Schema = { readonly [key: string]: unknown };

/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * The same schema with fewer choices (`anyOf`), for serializers. They compile validators of each choice, which takes most of
 * the CPU of a start, and run them at every answer. A value that may be null, or is one of some strings, needs none.
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
function onlyFormOf(choices: readonly unknown[]): Schema | null {
  if (choices.length > 0 && choices.every(isString)) return { type: 'string' };
  const [only] = choices;
  if (choices.length !== 1 || !isSchema(only) || typeof only['type'] !== 'string') return null;
  return 'const' in only ? null : only;
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
