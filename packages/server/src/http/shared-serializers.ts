import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { withoutChoices } from './without-choices.js';

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
