import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Writes the OpenAPI document that services read, docs/rights.md, and the part of the client that is made of the document. */
export async function writeApiDocument(): Promise<void> {
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
}
