/**
 * A schema of the OpenAPI document as a TypeScript type. Named schemas become their names.
 * @param {string} indent of the line where the type begins
 * @param {boolean} isSent whether programs give the value: then a point in time may be a Date
 */
export function typeText(schema, indent = '', isSent = false) {
  const inner = (each) => typeText(each, indent, isSent);
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (schema.anyOf) return union(schema.anyOf.map(inner));
  if (schema.allOf) return schema.allOf.map(inner).join(' & ');
  switch (schema.type) {
    case 'string':
      if (schema.format === 'binary') return 'Blob';
      return isSent && schema.format === 'date-time' ? 'Moment' : 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array': {
      if (Array.isArray(schema.items)) return `readonly [${schema.items.map(inner).join(', ')}]`;
      const item = schema.items ? inner(schema.items) : 'unknown';
      return `readonly ${/^readonly | [|&] /.test(item) ? `(${item})` : item}[]`;
    }
    case 'object':
      return objectText(schema, indent, isSent);
    default:
      return 'unknown';
  }
}

/** The lines between the braces of an interface, each property with its documentation. */
export function propertyLines({ properties = {}, required = [] }, indent, isSent = false) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : literal(name);
    const mark = required.includes(name) || 'default' in schema ? '' : '?';
    const type = typeText(schema, indent, isSent);
    return [...docLines(docOf(schema), indent), `${indent}readonly ${key}${mark}: ${type};`];
  });
}

/** A comment in the form that editors show. */
export function docLines(lines, indent = '') {
  // The end of a comment within one.
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 0) return [];
  if (safe.length === 1) return [`${indent}/** ${safe[0]} */`];
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** Leaves out what tells no more than the type. */
export function docOf({ description, examples = [] }) {
  const telling = examples.filter((each) => typeof each === 'string' && !/^\d{4}-/.test(each));
  return [
    ...(description && description !== 'a number' ? [description] : []),
    ...telling.map((each) => `@example ${each}`),
  ];
}

function objectText(schema, indent, isSent) {
  const { properties = {}, additionalProperties: others } = schema;
  const parts = [];
  if (Object.keys(properties).length > 0) {
    const lines = propertyLines(schema, `${indent}  `, isSent);
    parts.push(`{\n${lines.join('\n')}\n${indent}}`);
  }
  if (others) {
    const type = others === true ? 'unknown' : typeText(others, indent, isSent);
    parts.push(`{ readonly [key: string]: ${type} }`);
  }
  return parts.length > 0 ? parts.join(' & ') : 'Record<string, unknown>';
}

const union = (types) => [...new Set(types)].join(' | ');
const literal = (value) =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
