import { Told } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { quote } from '../errors/quote.js';
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
  throw new ServiceError('wrong_parameters', explain(Value.Errors(ToldGiven, given)));
}

function explain(faults: ReturnType<typeof Value.Errors>): string {
  for (const fault of faults) {
    if (fault.keyword !== 'additionalProperties') continue;
    const [name = ''] = fault.params.additionalProperties;
    return `${placeOf(fault)} has no field ${quote(name)}: docs/uploads.md names all of them`;
  }
  const [first] = faults;
  if (first === undefined || first.instancePath === '') {
    return 'told must be a JSON object of the fields that docs/uploads.md names';
  }
  const choices = faults.flatMap((fault) =>
    fault.keyword === 'const' && fault.instancePath === first.instancePath
      ? String(fault.params.allowedValue)
      : [],
  );
  return `${placeOf(first)} ${choices.length > 0 ? `must be one of ${choices.join(', ')}` : first.message}`;
}

function placeOf({ instancePath }: { readonly instancePath: string }): string {
  return `told${instancePath.replaceAll('/', '.')}`;
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
