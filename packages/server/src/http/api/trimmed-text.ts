import { type TString, Type } from 'typebox';

/** Keyword of a schema: the maximum length that the document states in the place of `maxLength`. */
const documentedLength = 'x-documented-length';

interface TrimmedTextOptions {
  readonly minLength?: number;
  /** Characters that the domain keeps, without the spaces around them. */
  readonly maxLength: number;
  readonly description: string;
}

/**
 * A text that the domain trims and counts. The document states the domain's limit. The check of a request takes twice as much: spaces
 * around a text are no fault, and the domain's answer to a text that is too long says more.
 */
export function trimmedText({ description, ...limits }: TrimmedTextOptions): TString {
  const { maxLength } = limits;
  return Type.String({
    ...limits,
    maxLength: 2 * maxLength,
    description,
    [documentedLength]: maxLength,
  });
}

/** A copy of schemas with the limits that the document states. */
export function withDocumentedLengths<Schemas>(schemas: Schemas): Schemas {
  return copyOf(schemas) as Schemas;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const { [documentedLength]: maxLength, ...schema } = value as Readonly<Record<string, unknown>>;
  if (maxLength !== undefined) return { ...schema, maxLength };
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, copyOf(inner)]));
}
