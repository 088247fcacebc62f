import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { first } from './en/first.js';
import { rest } from './en/rest.js';

const source = fileURLToPath(new URL('..', import.meta.url));

function* namesOf(strings: object, before = ''): Generator<string> {
  for (const [key, text] of Object.entries(strings)) {
    if (typeof text === 'object') yield* namesOf(text, `${before}${key}.`);
    else yield `${before}${key}`;
  }
}

const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.startsWith('strings'))
  .map((path) => readFileSync(join(source, path), 'utf8'))
  .join('\n');

/** Names with a part that the code fills in; a part of its own is one step, or all the rest where an object is read. */
const patterns = [...code.matchAll(/`(\w+\.[^`\n]*\$\{[^`\n]*)`(, \{ returnObjects: true)?/g)].map(
  ([, name = '', isObject]) => {
    const parts = name.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
    return new RegExp(`^${parts.join('[\\w+-]+')}${isObject ? '\\.' : '$'}`);
  },
);

const isUsed = (name: string) =>
  code.includes(`'${name}'`) ||
  code.includes(`\`${name}\``) ||
  patterns.some((pattern) => pattern.test(name));

test('every text is on a page', () => {
  const names = [...namesOf({ ...first, ...rest })].map((name) => name.replace(/_(zero|one|other)$/, ''));
  expect(names.length).toBeGreaterThan(1000);
  expect(names.filter((name) => !isUsed(name))).toEqual([]);
});
