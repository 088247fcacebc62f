import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';

/**
 * The values as the schema types them. Throws `wrong_parameters` naming the first one that does not fit; the
 * description of its schema says what it must be.
 */
export function checkParameters<Schema extends TObject>(schema: Schema, values: unknown): Static<Schema> {
  if (Value.Check(schema, values)) return values;
  const [first] = Value.Errors(schema, values);
  const name = first?.instancePath.split('/')[1] ?? '';
  const wanted = schema.properties[name];
  const description =
    wanted !== undefined && 'description' in wanted ? String(wanted.description) : undefined;
  throw new ServiceError('wrong_parameters', `${name} must be ${description ?? 'of another form'}`);
}
