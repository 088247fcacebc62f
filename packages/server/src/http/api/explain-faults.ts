import type { TSchema } from 'typebox';
import { type Fault, findFaults } from './find-faults.js';

/**
 * What does not fit, by the description of its schema: `limit must be an integer from 1 to 100`. Within an object it is
 * said of the field that does not fit; where an object is of one of several kinds, by the schema of its kind alone.
 * @param within where the value is in the whole, with a dot at its end
 * @param around what is wanted there, for fields without a description
 */
export function explainFaults(
  schema: TSchema,
  value: unknown,
  faults: readonly Fault[],
  within = '',
  around: string | null = null,
): string {
  const own = faults.filter(({ instancePath }) => instancePath === '');
  const inner = faults.find(({ instancePath }) => instancePath !== '');
  const explanation = own.length > 0 || inner === undefined ? explainNames(own, within) : null;
  if (explanation !== null) return explanation;
  const name = inner?.instancePath.split('/')[1];
  if (name === undefined) {
    const [first] = faults;
    const subject = within === '' ? 'the body' : within.slice(0, -1);
    return first?.keyword === 'type' ? `${subject} must be a JSON object` : `${subject} ${first?.message}`;
  }
  const property = propertyOf(schema, name);
  const description = isObject(property) ? property['description'] : undefined;
  const wanted = description === undefined ? around : `${within}${name} must be ${String(description)}`;
  const given = isObject(value) ? value[name] : undefined;
  if (property !== undefined && isObject(given)) {
    const chosen = chooseKind(property, given);
    if (typeof chosen === 'string') return `${within}${name}.kind must be ${chosen}`;
    const deeper = chosen === null ? [] : findFaults(chosen, given);
    if (chosen !== null && deeper.length > 0) {
      return explainFaults(chosen, given, deeper, `${within}${name}.`, wanted);
    }
  }
  return explainNames(faults, within) ?? wanted ?? `${within}${name} ${inner?.message}`;
}

function explainNames(faults: readonly Fault[], within: string): string | null {
  const unknown = faults.find(({ keyword }) => keyword === 'additionalProperties');
  if (unknown) return `there is no parameter ${namesIn(unknown, 'additionalProperties', within)}`;
  const missing = faults.find(({ keyword }) => keyword === 'required');
  return missing ? `${namesIn(missing, 'requiredProperties', within)} is missing` : null;
}

function namesIn({ params }: Fault, list: string, within: string): string {
  const names: unknown = Reflect.get(params, list);
  return Array.isArray(names) ? names.map((name) => within + String(name).slice(0, 60)).join(', ') : '';
}

/** The schema of an object's fields; those kinds that there are when it is of none of them; null where it has no fields. */
function chooseKind(schema: TSchema, given: Readonly<Record<string, unknown>>): TSchema | string | null {
  const branches = branchesOf(schema);
  if (branches.length === 1) return branches[0] ?? null;
  const kinds = branches.map((branch) => kindOf(branch));
  if (branches.length === 0 || kinds.some((kind) => kind === undefined)) return null;
  const index = kinds.indexOf(given['kind']);
  return index < 0 ? kinds.join(', ') : (branches[index] ?? null);
}

/** Those that are objects, of a union within a union too. */
function branchesOf(schema: TSchema): readonly TSchema[] {
  const anyOf: unknown = Reflect.get(schema, 'anyOf');
  if (Array.isArray(anyOf)) return anyOf.flatMap((branch: TSchema) => branchesOf(branch));
  return Reflect.get(schema, 'type') === 'object' && isObject(Reflect.get(schema, 'properties'))
    ? [schema]
    : [];
}

function kindOf(branch: TSchema): unknown {
  const kind = propertyOf(branch, 'kind');
  return kind === undefined ? undefined : Reflect.get(kind, 'const');
}

function propertyOf(schema: TSchema, name: string): TSchema | undefined {
  const properties: unknown = Reflect.get(schema, 'properties');
  return isObject(properties) && Object.hasOwn(properties, name) ? (properties[name] as TSchema) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
