import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../../docs/addresses.md', import.meta.url), 'utf8');

/** The rows of one of the tables of docs/addresses.md, its cells as they are there. Fails when a row cannot be read. */
export function addressTable(heading: string): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  // The first is the heading; the rule below it has no blank.
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

/** What stands in a cell as code; empty when none does. */
export function codeIn(cell = ''): string {
  const code = /^`(.*)`$/s.exec(cell)?.[1] ?? '';
  return String(JSON.parse(`"${code}"`));
}
