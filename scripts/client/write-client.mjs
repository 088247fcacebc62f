import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCalls } from './read-calls.mjs';
import { writeCalls } from './write-calls.mjs';
import { writeTable } from './write-table.mjs';
import { writeTypes } from './write-types.mjs';

/** What the generated part of the client is made of, and where it lies. Paths within the clone. */
export const documentPath = join('packages', 'server', 'assets', 'openapi.json');
export const callsPath = join('packages', 'client', 'calls.mjs');
export const generatedFolder = join('packages', 'client', 'src', 'generated');

const head = `// Made of ${documentPath} and ${callsPath} by the build; git has no copy.\n\n`;

/** Writes the part of the client that is made of the OpenAPI document. A file that is right already is not touched. */
export async function writeClient(root) {
  const document = JSON.parse(readFileSync(join(root, documentPath), 'utf8'));
  const { calls } = await import(pathToFileURL(join(root, callsPath)).href);
  mkdirSync(join(root, generatedFolder), { recursive: true });
  for (const [name, text] of Object.entries(clientSources(document, calls))) {
    writeIfOther(join(root, generatedFolder, name), `${head}${text}`);
  }
}

/** The text of each file, by name. */
export function clientSources(document, rows) {
  const tree = readCalls(document, rows);
  return {
    'api-types.ts': writeTypes(document),
    'calls.ts': writeCalls(tree, document),
    'table.ts': writeTable(tree),
  };
}

function writeIfOther(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // There is none yet.
  }
  writeFileSync(path, text);
}
