import { Told } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../errors/service-error.js';

/** What an owner may say of a model file, in the spelling of the API and the command line. The model's name stands for its title. */
const { title: _title, firstClass, ...same } = Told.properties;
const told = { ...same, first_class: firstClass };
export const ToldGiven = Type.Object(told, { additionalProperties: false });
export const ToldAnswered = Type.Object(told, {
  description: 'what was said of it; docs/uploads.md tells each',
});

/** Of a field of a form. Throws `wrong_parameters`. */
export function readTold(text: string | undefined): Told {
  if (text === undefined || text.trim() === '') return {};
  const given = parse(text);
  if (Value.Check(ToldGiven, given)) return toTold(given);
  const [fault] = Value.Errors(ToldGiven, given);
  const place = fault?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  throw new ServiceError(
    'wrong_parameters',
    place === ''
      ? 'told must be a JSON object of the fields that docs/uploads.md names'
      : `told.${place} ${fault?.message}`,
  );
}

export function toTold({ first_class, ...rest }: Static<typeof ToldGiven>): Told {
  return { ...rest, ...(first_class === undefined ? {} : { firstClass: first_class }) };
}

export function fromTold({ title: _, firstClass: first, ...rest }: Told): Static<typeof ToldAnswered> {
  return { ...rest, ...(first === undefined ? {} : { first_class: first }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('wrong_parameters', 'told must be JSON');
  }
}
