import { IsOptional, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/**
 * What of a value does not fit its schema: the path of the first field that does not, and what belongs there by the description of
 * its schema, or by its type where it has none: `settings.zones[0].classes must be a list of at most 100`. Of an object that may be
 * of several kinds, by the schema of its kind alone. For values that do not fit.
 * @param path of the value in the whole, empty for all of it
 */
export function explainFaults(schema: TSchema, value: unknown, path = ''): string {
  const branches = branchesOf(schema);
  const chosen = chooseBranch(branches, value);
  if (chosen === null)
    return explainKind(branches, value, path) ?? `${subjectOf(path)} must be ${describe(schema)}`;
  if (isObject(value))
    return explainObject(chosen, value, path) ?? `${subjectOf(path)} must be ${describe(schema)}`;
  if (Array.isArray(value))
    return explainList(chosen, value, path) ?? `${subjectOf(path)} must be ${describe(schema)}`;
  return `${subjectOf(path)} must be ${describe(schema)}`;
}

function explainObject(
  schema: TSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): string | null {
  const properties = propertiesOf(schema);
  const names = (list: readonly string[]) => list.map((name) => join(path, name.slice(0, 60))).join(', ');
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const additional: unknown = Reflect.get(schema, 'additionalProperties');
  if (additional === false && others.length > 0) return `there is no parameter ${names(others)}`;
  const missing = Object.keys(properties).filter(
    (name) => isRequired(schema, name) && (!Object.hasOwn(value, name) || value[name] === undefined),
  );
  if (missing.length > 0) return `${names(missing)} is missing`;
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    if (!Value.Check(property, value[name])) return explainFaults(property, value[name], join(path, name));
  }
  const patterns = Object.entries(recordOf(Reflect.get(schema, 'patternProperties')));
  for (const name of others) {
    const ofName: unknown = patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1] ?? additional;
    if (isSchema(ofName) && !Value.Check(ofName, value[name]))
      return explainFaults(ofName, value[name], join(path, name.slice(0, 60)));
  }
  return null;
}

function explainList(schema: TSchema, value: readonly unknown[], path: string): string | null {
  const items: unknown = Reflect.get(schema, 'items');
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = limitsOf(schema);
  const isTuple = Array.isArray(items);
  // Of a list that is too long nothing further is looked at.
  if (
    value.length > (isTuple ? items.length : maxItems) ||
    value.length < (isTuple ? items.length : minItems)
  )
    return null;
  for (const [index, item] of value.entries()) {
    const ofItem: unknown = isTuple ? items[index] : items;
    if (isSchema(ofItem) && !Value.Check(ofItem, item))
      return explainFaults(ofItem, item, `${path}[${index}]`);
  }
  return null;
}

/** The one of these that a value is meant to be; null where it is none of them. */
function chooseBranch(branches: readonly TSchema[], value: unknown): TSchema | null {
  const type = isObject(value) ? 'object' : Array.isArray(value) ? 'array' : null;
  if (type === null) return null;
  const fitting = branches.filter((branch) => Reflect.get(branch, 'type') === type);
  if (fitting.length < 2 || !isObject(value)) return fitting[0] ?? null;
  const kinds = fitting.map(kindOf);
  if (kinds.every((kind) => kind !== undefined))
    return fitting.find((branch) => kindOf(branch) === value['kind']) ?? null;
  const strangers = (branch: TSchema) =>
    Object.keys(value).filter((name) => !Object.hasOwn(propertiesOf(branch), name)).length;
  return fitting.reduce((best, branch) => (strangers(branch) < strangers(best) ? branch : best));
}

/** What `kind` may be, where it decides between objects. */
function explainKind(branches: readonly TSchema[], value: unknown, path: string): string | null {
  const kinds = branches.filter((branch) => Reflect.get(branch, 'type') === 'object').map(kindOf);
  if (!isObject(value) || kinds.length < 2 || kinds.some((kind) => kind === undefined)) return null;
  return `${join(path, 'kind')} must be ${kinds.join(', ')}`;
}

/** Of a union, and of unions in it. */
function branchesOf(schema: TSchema): readonly TSchema[] {
  const anyOf: unknown = Reflect.get(schema, 'anyOf');
  return Array.isArray(anyOf) ? anyOf.flatMap((branch: TSchema) => branchesOf(branch)) : [schema];
}

/** Completes "NAME must be …". */
function describe(schema: TSchema): string {
  const description: unknown = Reflect.get(schema, 'description');
  const values: unknown = Reflect.get(schema, 'enum');
  const isListed = Array.isArray(values) && !String(description).includes(String(values.at(-1)));
  if (typeof description === 'string' && !isListed) return description;
  const anyOf: unknown = Reflect.get(schema, 'anyOf');
  if (Array.isArray(anyOf))
    return [...new Set(anyOf.map((branch: TSchema) => describe(branch)))].join(', or ');
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (Object.hasOwn(schema, 'const')) return JSON.stringify(Reflect.get(schema, 'const'));
  const type: unknown = Reflect.get(schema, 'type');
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limitsOf(schema);
  switch (type) {
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer${rangeOf(minimum, maximum)}`;
    case 'number':
      return `a number${rangeOf(minimum, maximum)}`;
    case 'string':
      return `text${rangeOf(minLength, maxLength, ' characters')}`;
    case 'array':
      return `a list${rangeOf(minItems, maxItems, ' entries')}`;
    default:
      return 'a JSON object';
  }
}

function rangeOf(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min !== undefined && max !== undefined)
    return unit === '' ? ` from ${min} to ${max}` : ` of ${min} to ${max}${unit}`;
  if (min !== undefined) return ` of at least ${min}${unit}`;
  return max === undefined ? '' : ` of at most ${max}${unit}`;
}

type Limit = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

function limitsOf(schema: TSchema): { readonly [Name in Limit]?: number } {
  return schema as { readonly [Name in Limit]?: number };
}

function isRequired(schema: TSchema, name: string): boolean {
  const required: unknown = Reflect.get(schema, 'required');
  if (Array.isArray(required)) return required.includes(name);
  const property = propertiesOf(schema)[name];
  return property !== undefined && !IsOptional(property);
}

function kindOf(branch: TSchema): unknown {
  const kind = propertiesOf(branch)['kind'];
  return kind === undefined ? undefined : Reflect.get(kind, 'const');
}

function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  return recordOf(Reflect.get(schema, 'properties'));
}

function recordOf(value: unknown): Readonly<Record<string, TSchema>> {
  return isObject(value) ? (value as Readonly<Record<string, TSchema>>) : {};
}

function isSchema(value: unknown): value is TSchema {
  return isObject(value);
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const subjectOf = (path: string) => (path === '' ? 'the body' : path);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
