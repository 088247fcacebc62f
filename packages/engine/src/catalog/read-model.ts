import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { CatalogError } from './catalog-error.js';
import { type CatalogModel, describeEntry } from './describe-entry.js';
import { CatalogEntry } from './entry.js';
import { Label } from './manifest.js';

export const LabelTable = Type.Array(Label, { minItems: 1 });
const entryForm = compileForm(CatalogEntry);
const labelsForm = compileForm(LabelTable);

/** Reads an entry and its labels. Throws a `CatalogError` that names the invalid file. */
export async function readModel(
  path: string,
  origin: CatalogModel['origin'],
  shippedDir: string,
): Promise<CatalogModel> {
  const entry = await readJson(path, entryForm);
  const labels = entry.labels ? await readLabels(entry.labels, [dirname(path), shippedDir], entry.id) : [];
  if (labels.length === 0 && (entry.family === 'classifier' || entry.family === 'detector')) {
    throw new CatalogError(`${path}: a ${entry.family} needs labels`, entry.id);
  }
  if ((entry.family === 'text-recogniser') !== (entry.alphabet !== undefined)) {
    throw new CatalogError(`${path}: a text-recogniser, and it alone, needs an alphabet`, entry.id);
  }
  const names = new Set(entry.source.files.map(({ name }) => name));
  if (names.size !== entry.source.files.length) {
    throw new CatalogError(`${path}: two source files have the same name`, entry.id);
  }
  const { recipe } = entry;
  const wanted = [recipe.file, ...('shards' in recipe ? recipe.shards : [])];
  const absent = wanted.find((name) => !names.has(name));
  if (absent !== undefined) {
    throw new CatalogError(`${path}: the recipe names ${absent}, which is no file of the source`, entry.id);
  }
  if (entry.alphabet && !names.has(entry.alphabet.file)) {
    throw new CatalogError(`${path}: the alphabet ${entry.alphabet.file} is no file of the source`, entry.id);
  }
  return describeEntry(entry, labels, origin, dirname(path));
}

async function readLabels(name: string, folders: readonly string[], modelId: string) {
  for (const folder of new Set(folders)) {
    const path = join(folder, 'labels', name);
    const labels = await readJson(path, labelsForm, true);
    if (labels === undefined) continue;
    if (new Set(labels.map(({ title }) => title)).size !== labels.length) {
      throw new CatalogError(`${path}: two labels have the same title`, modelId);
    }
    return labels;
  }
  throw new CatalogError(
    `The labels ${name} of model ${modelId} are in none of ${folders.join(', ')}`,
    modelId,
  );
}

interface Form<Content> {
  readonly schema: TSchema;
  readonly fits: (content: unknown) => content is Content;
}

/** Thousands of labels are checked at every start, which takes an eighth of a second by the schema itself. */
function compileForm<Schema extends TSchema>(schema: Schema): Form<Static<Schema>> {
  const validator = Compile(schema);
  return { schema, fits: (content): content is Static<Schema> => validator.Check(content) };
}

async function readJson<Content>(path: string, form: Form<Content>): Promise<Content>;
async function readJson<Content>(
  path: string,
  form: Form<Content>,
  mayBeAbsent: true,
): Promise<Content | undefined>;
async function readJson<Content>(path: string, form: Form<Content>, mayBeAbsent = false) {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (mayBeAbsent && error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogError(`${path} cannot be read: ${reason}`, undefined, { cause: error });
  }
  if (form.fits(content)) return content;
  throw new CatalogError(`${path}: ${schemaProblem(form.schema, content)}`);
}

/** Where a value differs first from its schema, and how. */
export function schemaProblem(schema: TSchema, content: unknown): string {
  const [first] = Value.Errors(schema, content);
  const location = first?.instancePath || 'the file';
  // The schema library's keyword for an unknown key.
  const reason = first?.keyword === 'boolean' ? 'is no key of an entry' : (first?.message ?? 'is wrong');
  return `${location} ${reason}`;
}
