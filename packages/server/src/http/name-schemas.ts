type Document = Readonly<Record<string, unknown>>;

/** A schema's title is its name in the OpenAPI document where it is written like one. */
const namePattern = /^[A-Z][A-Za-z0-9]*$/;
/** Examples are no schemas, and schemas of parameters have given their descriptions to the parameters. */
const unnamed = new Set(['example', 'examples', 'parameters']);

/**
 * The document's paths with each schema of a name replaced by a reference, and these schemas by their names: half of
 * the bytes, and names for the types of generated clients. Throws where one name is given to two schemas.
 */
export function nameSchemas(paths: Document): { readonly paths: unknown; readonly schemas: Document } {
  const schemas: Record<string, unknown> = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const visited = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, unnamed.has(key) ? inner : visit(inner)]),
    );
    const { title: name, ...schema } = visited;
    if (typeof name !== 'string' || !namePattern.test(name)) return visited;
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the title ${name}.`);
    }
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  return { paths: visit(paths), schemas };
}
