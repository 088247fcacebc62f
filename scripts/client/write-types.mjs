import { docLines, docOf, propertyLines, typeText } from './type-text.mjs';

/** Enums whose values programs list, with the name of the list. */
const listedEnums = { AuditAction: 'auditActions' };

/** `api-types.ts`: a type for each schema that the OpenAPI document names, in the document's order. */
export function writeTypes({ components }) {
  const { schemas } = components;
  const types = Object.entries(schemas).map(([name, schema]) => {
    const isPlain = schema.type === 'object' && schema.properties && !schema.additionalProperties;
    const declared = isPlain
      ? [`export interface ${name} {`, ...propertyLines(schema, '  '), '}']
      : [`export type ${name} = ${typeText(schema)};`];
    return [...docLines(docOf(schema)), ...declared].join('\n');
  });
  const lists = Object.entries(listedEnums)
    .filter(([type]) => schemas[type])
    .map(
      ([type, name]) =>
        '/** Every one that the service of this version knows. */\n' +
        `export const ${name} = ${JSON.stringify(schemas[type].enum)} as const satisfies readonly ${type}[];`,
    );
  return [...types, ...lists, ''].join('\n\n');
}
