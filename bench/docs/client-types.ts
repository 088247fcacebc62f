import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { apiDocumentPath } from '#server/http/api-document.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const path = 'packages/client/src/api-types.ts';
export const clientTypesPath = `${root}${path}`;

const head = `// The schemas that the service's OpenAPI document names. Written by npm run bench -- client-types; do not edit.\n`;

/** Enums whose values programs list, with the name of the list. */
const listedEnums = { AuditAction: 'auditActions' } as const;

interface Document {
  readonly openapi: string;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}

/** Writes the OpenAPI document that services read, docs/rights.md, and the client's types as the document has them. */
export async function writeClientTypes(): Promise<void> {
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const tests = ['docs.test.js', 'api/permit.test.js'].map((name) => `packages/server/dist/http/${name}`);
  await promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--root', '.', ...tests, '-t', 'is read by services|stands in a table', '--update'],
    {
      cwd: root,
    },
  );
  await writeFile(clientTypesPath, await formatClientTypes());
}

/** `packages/client/src/api-types.ts`: a type for each schema that the OpenAPI document names, in the document's order. */
export async function formatClientTypes(): Promise<string> {
  const { openapi, components }: Document = JSON.parse(await readFile(apiDocumentPath, 'utf8'));
  const nodes = await openapiTS(
    {
      openapi,
      info: { title: 'Lynceus', version: '' },
      paths: {},
      components: JSON.parse(JSON.stringify(components), withoutNoise),
    },
    { immutable: true, emptyObjectsUnknown: true },
  );
  const text = schemasAmong(nodes)
    .map((schema) => astToString(declare(schema)))
    .join('\n')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    // Tags that say what the type says.
    .replaceAll(/^ *\/\*\* @(enum \{\w+\}|constant) \*\/\n/gm, '')
    .replaceAll(/^ *\* @(enum \{\w+\}|constant)\n/gm, '')
    .replaceAll('* @description ', '* ')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */');
  return formatSource(`${head}\n${text}\n${listEnums(components).join('\n')}`);
}

/** The values of enums, at run time. */
function listEnums({ schemas }: Document['components']): readonly string[] {
  return Object.entries(listedEnums).map(([type, name]) => {
    const values = JSON.stringify(schemas[type]?.enum);
    return `/** Every one that the service of this version knows. */\nexport const ${name} = ${values} as const satisfies readonly ${type}[];`;
  });
}

/** Leaves out descriptions and examples that tell no more than the type. */
function withoutNoise(key: string, value: unknown): unknown {
  if (key === 'description' && value === 'a number') return undefined;
  if (key !== 'examples' || !Array.isArray(value)) return value;
  const telling = value.filter((example) => typeof example === 'string' && !/^\d{4}-/.test(example));
  return telling.length === 0 ? undefined : telling;
}

/** The members of `components.schemas`, which openapi-typescript makes one type. */
function schemasAmong(nodes: readonly ts.Node[]): readonly ts.PropertySignature[] {
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components');
  const schemas = components?.members
    .filter(ts.isPropertySignature)
    .find((member) => nameOf(member) === 'schemas');
  if (!schemas?.type || !ts.isTypeLiteralNode(schemas.type))
    throw new Error('The document names no schemas.');
  return schemas.type.members.filter(ts.isPropertySignature);
}

/** The same as a type of its own, so that editors and the compiler show it by its name. */
function declare(schema: ts.PropertySignature): ts.Node {
  const { type } = schema;
  const name = nameOf(schema);
  if (!type) throw new Error(`The schema ${name} has no type.`);
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declared = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(exported, name, undefined, type);
  return ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(schema));
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

async function formatSource(text: string): Promise<string> {
  const biome = `${root}node_modules/@biomejs/biome/bin/biome`;
  const running = promisify(execFile)(process.execPath, [biome, 'format', '--stdin-file-path', path], {
    cwd: root,
  });
  running.child.stdin?.end(text);
  return (await running).stdout;
}
