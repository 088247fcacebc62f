import type { DropDestination, DropDestinationInput } from '@lynceus/client';
import {
  type FieldName,
  fieldsOf,
  isSecret,
  type Kind,
  plainFields,
  secretFields,
} from './destination-fields.js';

/** The values of the form: all fields as text, also those of other kinds, so that changing the kind loses nothing. */
export interface DestinationValues {
  readonly kind: Kind | 'none';
  readonly fields: Readonly<Record<FieldName, string>>;
}

const allFields: readonly FieldName[] = [...plainFields, ...secretFields];

/** The current values. Secrets are empty: the service does not show them. */
export function valuesOf(destination: DropDestination | null): DestinationValues {
  const known = new Map<string, unknown>(Object.entries(destination ?? {}));
  const textOf = (name: FieldName) => (isSecret(name) ? '' : String(known.get(name) ?? ''));
  return {
    kind: destination?.kind ?? 'none',
    fields: Object.fromEntries(allFields.map((name) => [name, textOf(name)])) as Record<FieldName, string>,
  };
}

/** The request to the service: the non-empty fields of the kind. */
export function destinationOf({ kind, fields }: DestinationValues): DropDestinationInput | null {
  if (kind === 'none') return null;
  const { first, more } = fieldsOf[kind];
  const given = [...first, ...more].filter((name) => fields[name].trim() !== '');
  const plain = given.filter((name) => !isSecret(name)).map((name) => [name, toValue(name, fields[name])]);
  const secrets = given.filter(isSecret).map((name) => [name, fields[name]]);
  // The service validates it, and reports errors by field.
  return {
    kind,
    ...Object.fromEntries(plain),
    ...(secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
  } as DropDestinationInput;
}

/** The required fields that are empty. */
export function missingFields({ kind, fields }: DestinationValues): readonly FieldName[] {
  return kind === 'none' ? [] : fieldsOf[kind].needed.filter((name) => fields[name].trim() === '');
}

/** The field that an error of the service names, such as `destination.port must be …`. */
export function findFault(message: string): { readonly field: FieldName; readonly text: string } | null {
  const [, name, text] = /^destination\.(?:secrets\.)?(\w+) (.+)$/s.exec(message) ?? [];
  const field = allFields.find((each) => each === name);
  return field === undefined || text === undefined ? null : { field, text };
}

function toValue(name: FieldName, text: string): string | number | boolean {
  if (name === 'port') return Number(text);
  if (name === 'path_style') return text !== 'false';
  return name === 'certificate' ? text : text.trim();
}
