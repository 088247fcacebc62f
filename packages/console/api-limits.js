import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const documentPath = fileURLToPath(new URL('../server/assets/openapi.json', import.meta.url));
const prefix = 'api-limits:';

/**
 * Modules with the limits of the fields of a request, out of the API's document: `api-limits:POST /api/models`, or of one of its
 * schemas: `api-limits:StreamSettingsInput`. A page loads those that it imports, and none of the rest of the document.
 */
export function apiLimits() {
  return {
    name: 'api-limits',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      this.addWatchFile?.(documentPath);
      return `export default ${JSON.stringify(readLimits(id.slice(prefix.length + 1)))};`;
    },
  };
}

/** Limits by field; fields of an object within are named `keywords.prefix`. Throws for a request or schema that there is none of. */
export function readLimits(name, document = JSON.parse(readFileSync(documentPath, 'utf8'))) {
  const { schemas } = document.components;
  const [method, path] = name.split(' ');
  const schema =
    path === undefined
      ? schemas[name]
      : document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error(`The API's document has no ${name}`);
  const referred = schema.$ref === undefined ? schema : follow(schema, schemas);
  return Object.fromEntries(limitsBelow(referred, schemas, ''));
}

function limitsBelow({ properties = {}, required = [] }, schemas, before) {
  return Object.entries(properties).flatMap(([key, property]) => {
    const { schema, isNullable } = withoutNull(property, schemas);
    const isRequired = required.includes(key) && !isNullable && schema.type !== 'boolean';
    const limits = limitsOf(schema, isRequired);
    const own = Object.keys(limits).length > 0 ? [[`${before}${key}`, limits]] : [];
    // An object of a name of its own is imported by that.
    return property.$ref === undefined && schema.type === 'object'
      ? [...own, ...limitsBelow(schema, schemas, `${before}${key}.`)]
      : own;
  });
}

/** A field that may be null has the limits of what it is otherwise. */
function withoutNull(property, schemas) {
  const kinds = property.anyOf ?? [property];
  const others = kinds.filter(({ type }) => type !== 'null');
  const isNullable = others.length < kinds.length;
  return { schema: others.length === 1 ? follow(others[0], schemas) : {}, isNullable };
}

const follow = (schema, schemas) =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)];

function limitsOf(schema, isRequired) {
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, maxItems } = schema;
  const limits = {
    required: isRequired || undefined,
    minLength,
    maxLength,
    min: minimum,
    above: exclusiveMinimum,
    // The largest whole number of JavaScript is the limit of a field without one.
    max: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    isWhole: schema.type === 'integer' || undefined,
    maxItems,
    default: schema.default,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
