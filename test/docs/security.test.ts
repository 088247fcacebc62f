import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!attack )/.test(line));

/** The tests of a row: a file in backquotes, and after it names in quotation marks. */
function testsOf(row: string): readonly (readonly [file: string, name: string])[] {
  let file = '';
  return [...row.matchAll(/`([^`]+\.test\.ts)`|“([^”]+)”/g)].flatMap(([, path, name]) => {
    if (path !== undefined) file = path;
    return name === undefined ? [] : [[file, name] as const];
  });
}

test('every attack of docs/security.md names tests that there are', () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const tests = testsOf(row);
    expect([row, tests.length]).not.toEqual([row, 0]);
    for (const [file, name] of tests) {
      const fullPath = /^(test|packages)\//.test(file) ? file : `packages/server/src/${file}`;
      const url = new URL(fullPath, root);
      const source = existsSync(url) ? readFileSync(url, 'utf8') : '';
      const quoted = [`'${name}'`, `"${name}"`, `\`${name}\``];
      expect([file, name, quoted.some((text) => source.includes(text))]).toEqual([file, name, true]);
    }
  }
});
