import { ImportOptions } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';

/** What an owner may say of a model file, in the spelling of the API and the command line. The model's name stands for its title. */
const { title: _title, firstClass, ...same } = ImportOptions.properties;
const fields = { ...same, first_class: firstClass };
export const ImportOptionsRequest = Type.Object(fields, { additionalProperties: false });
export const ImportOptionsResponse = Type.Object(fields, {
  title: 'ModelImportOptions',
  description: 'the options of the upload; see docs/uploads.md',
});

/** Of a field of a form. Throws `wrong_parameters`. */
export function readImportOptions(text: string | undefined): ImportOptions {
  if (text === undefined || text.trim() === '') return {};
  const given = parse(text);
  if (Value.Check(ImportOptionsRequest, given)) return toImportOptions(given);
  throw new ServiceError('wrong_parameters', explain(Value.Errors(ImportOptionsRequest, given)));
}

function explain(faults: ReturnType<typeof Value.Errors>): string {
  for (const fault of faults) {
    if (fault.keyword !== 'additionalProperties') continue;
    const [name = ''] = fault.params.additionalProperties;
    const names = fault.instancePath === '' ? ` (${Object.keys(fields).join(', ')})` : '';
    return `${fieldOf(fault)} has no field ${quote(name)}: docs/uploads.md names all of them${names}`;
  }
  const [first] = faults;
  if (first === undefined || first.instancePath === '') {
    return 'options must be a JSON object of the fields that docs/uploads.md names';
  }
  const choices = faults.flatMap((fault) =>
    fault.keyword === 'const' && fault.instancePath === first.instancePath
      ? String(fault.params.allowedValue)
      : [],
  );
  return `${fieldOf(first)} ${choices.length > 0 ? `must be one of ${choices.join(', ')}` : first.message}`;
}

function fieldOf({ instancePath }: { readonly instancePath: string }): string {
  return `options${instancePath.replaceAll('/', '.')}`;
}

export function toImportOptions({
  first_class,
  ...rest
}: Static<typeof ImportOptionsRequest>): ImportOptions {
  return { ...rest, ...(first_class === undefined ? {} : { firstClass: first_class }) };
}

export function fromImportOptions({
  title: _,
  firstClass: first,
  ...rest
}: ImportOptions): Static<typeof ImportOptionsResponse> {
  return { ...rest, ...(first === undefined ? {} : { first_class: first }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('wrong_parameters', 'options must be JSON');
  }
}
