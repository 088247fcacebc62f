import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const written = ['packages/server/assets/openapi.json', 'docs/rights.md'];

/** Writes the OpenAPI document that services read, docs/rights.md, and the part of the client that is made of the document. */
export async function writeApiDocument(): Promise<void> {
  const read = () => Promise.all(written.map((path) => readFile(join(root, path), 'utf8')));
  const before = await read();
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const tests = ['docs.test.js', 'api/permit.test.js'].map((name) => `packages/server/dist/http/${name}`);
  await promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--root', '.', ...tests, '-t', 'is read by services|stands in a table', '--update'],
    {
      cwd: root,
    },
  );
  await promisify(execFile)(process.execPath, ['scripts/client.mjs'], { cwd: root });
  const after = await read();
  for (const [index, path] of written.entries())
    console.log(`${path} ${after[index] === before[index] ? 'is as it was' : 'is updated'}`);
}
