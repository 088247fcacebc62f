import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const tests = ['packages/server/src', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => path.replace(/(\.\w+)*\.test\.ts$/, ''));

test.each(['ftp', 'sftp'])('the tests that %s.md names for its attacks exist', (page) => {
  const text = readFileSync(join(root, 'docs', `${page}.md`), 'utf8');
  const [, table = ''] = /^\| attack \| response \| test \|\n.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const cells = table.split('\n').map((row) => row.split('|').at(-2) ?? '');
  const names = cells.flatMap((cell) => cell.replaceAll('`', '').replace(', the same code', '').split(','));
  const wanted = names.map((name) => name.trim().replace(/\.db$/, '')).filter((name) => name !== '');
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => !tests.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([]);
});
