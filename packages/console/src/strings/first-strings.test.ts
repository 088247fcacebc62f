import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { first } from './en/first.js';

const source = fileURLToPath(new URL('..', import.meta.url));
const entries = [
  'main.tsx',
  'shell/frame.tsx',
  'try/try-page.tsx',
  'sign-in/sign-in-page.tsx',
  'sign-in/sign-up-page.tsx',
  'sign-in/welcome-page.tsx',
];

/** A file with all that it imports, now or later; other pages begin with `shell/windows.tsx`, and `routes.tsx` names them. */
function read(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen;
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  if (path.endsWith('shell/routes.tsx')) return seen;
  for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']*)\.js'/g)) {
    const found = [`${name}.tsx`, `${name}.ts`].map((one) => join(dirname(path), one)).find(existsSync);
    if (found !== undefined && !found.includes('/strings/')) read(found, seen);
  }
  return seen;
}

test('the texts of the first pages are among the first strings', () => {
  const files = new Map(entries.flatMap((entry) => [...read(join(source, entry))]));
  expect(files.size).toBeGreaterThan(30);
  const missing = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/\bt\(\s*['`](\w+)\./g)]
      .filter(([, area = '']) => !Object.hasOwn(first, area))
      .map(([, area]) => `${relative(source, path)} says ${area}`),
  );
  expect(missing).toEqual([]);
});
