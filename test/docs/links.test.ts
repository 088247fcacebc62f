import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const docs = join(root, 'docs');
const pages = [
  ...readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(docs, name)),
  join(root, 'README.md'),
  join(root, 'CONTRIBUTING.md'),
  join(root, 'packages/client/README.md'),
  join(root, 'examples/README.md'),
  join(root, 'deploy/README.md'),
  ...readdirSync(join(root, 'packages/server/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, 'packages/server/src', name, 'README.md')),
];

describe.each(pages.map((path) => ({ path, name: relative(root, path) })))('$name', ({ path }) => {
  test('leads nowhere that is not there: files, headings and images', () => {
    const lost = linksOf(path).filter((link) => !leadsSomewhere(link, path));
    expect(lost).toEqual([]);
  });
});

test('every image of docs/images stands in a page, has words for who does not see it, and is small', () => {
  const shown = pages.flatMap((path) =>
    [...textOf(path).matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, words = '', target = '']) => ({
      words,
      image: relative(docs, join(dirname(path), target)),
    })),
  );
  expect(shown.filter(({ words }) => words.trim() === '')).toEqual([]);
  const names = readdirSync(join(docs, 'images')).map((name) => `images/${name}`);
  expect(names.filter((name) => !shown.some(({ image }) => image === name))).toEqual([]);
  expect(names.filter((name) => statSync(join(docs, name)).size > 150_000)).toEqual([]);
});

/** The targets of links and images, those in code left out. */
function linksOf(path: string): readonly string[] {
  return [...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`code`');
}

function leadsSomewhere(link: string, from: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true;
  const [file = '', heading] = link.split('#');
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(target)) return false;
  return heading === undefined || headingsOf(target).has(heading);
}

/** The anchors that headings get: words in small letters, hyphens between them, a number after one that was there. */
function headingsOf(path: string): ReadonlySet<string> {
  const anchors = new Map<string, number>();
  const found = new Set<string>();
  const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = anchors.get(anchor) ?? 0;
    anchors.set(anchor, times + 1);
    found.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  return found;
}
