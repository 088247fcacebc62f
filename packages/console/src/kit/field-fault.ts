import { toSentence } from './error-text.js';

/** A field of a form, and what the service says of it. */
interface FieldFault<Field extends string> {
  readonly field: Field;
  readonly text: string;
}

/**
 * The field that an error of the service begins with, as `source.address: …` and `port must be …` do; null for other errors.
 * `fields` are names of the form by those of the service.
 */
export function findFieldFault<Field extends string>(
  error: Error | null,
  fields: Readonly<Record<string, Field>>,
): FieldFault<Field> | null {
  const [, name = '', rest = ''] = /^([a-z_.]+)(?:\[\d+\]|\.\d+)?:? (.+)$/s.exec(error?.message ?? '') ?? [];
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field === undefined ? null : { field, text: toSentence(rest) };
}

/** For `onError` of a form: marks the field that the error is about. */
export function markFieldFault<Field extends string>(
  form: { setFieldError(field: string, text: string): void },
  error: Error,
  fields: Readonly<Record<string, Field>>,
): FieldFault<Field> | null {
  const fault = findFieldFault(error, fields);
  if (fault) form.setFieldError(fault.field, fault.text);
  return fault;
}
