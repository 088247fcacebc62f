import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../../packages/server/src');
const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(folders)('%s has a page whose files and folders exist', (folder) => {
  const page = readFileSync(join(source, folder, 'README.md'), 'utf8');
  const paths = [...page.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(2);
  expect(paths.filter((path) => !existsSync(join(source, folder, path)))).toEqual([]);
});
