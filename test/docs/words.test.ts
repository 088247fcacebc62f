import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Words for which the project uses others: an image is no picture, and what is wrong is fixed. */
const avoided =
  /\b(told|anew|mend(?:s|ed)?|far side|takes? back|does again|found well|found exactly|right by class|let (?:it|the version) predict|pictures?|deeds?|doors?|parcels?|hastens?|at work|in good order|somebody|learnt|untold)\b/gi;

/** Names on disk, in archives and in requests that were written before the words changed; names of others. */
const exceptions: readonly (readonly [file: RegExp, text: RegExp])[] = [
  [/\/(backup|storage)\//, /blobs\/pictures|kept-pictures|^pictures?$|_pictures?|pictures?_/],
  [/file-parts\.ts$/, /^-picture/],
  [/\.ts$/, /-pictures?\b|PICTURE\.jpg|lynceus-parcel/],
  [/core\//, /[a-z]Pictures?|picture[A-Z]/],
  [/storage\/migrations\//, /./],
  // The options of an upload were named so, and the calibrations made of them are.
  [/engine\/src\/uploads\//, /told\/?$/],
  [/engine\/src\/training\//, /^label-not-learnt$/],
  [/docs\//, /blobs\/pictures|-pictures?\b|pictures\.example|"pictures"|lynceus-parcel|PICTURE\.jpg/],
  [/docs\/faces\.md$/, /door\.jpg/],
  [/docs\/drop\.md$/, /\/pictures"/],
  // Names of tests.
  [/docs\/security\.md$/, /“[^”]*”/],
];

test('texts for readers use the words of the project', () => {
  const paths = execFileSync(
    'git',
    ['ls-files', 'docs', 'packages', 'examples', 'deploy', 'README.md', 'CONTRIBUTING.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const found = paths
    .split('\n')
    .filter((path) => /\.(md|tsx?)$/.test(path) && !/\.test\.|\/fixtures\//.test(path))
    .flatMap((path) => textsOf(path).flatMap((text) => findAvoided(path, text)));
  expect(found).toEqual([]);
});

function findAvoided(path: string, text: string): string[] {
  const kept = exceptions
    .filter(([file]) => file.test(path))
    .reduce((rest, [, exception]) => rest.replace(new RegExp(exception, 'gi'), ''), text);
  return [...kept.matchAll(avoided)].map(({ 0: word, index }) => {
    const around = kept.slice(Math.max(0, index - 40), index + 40).replaceAll('\n', ' ');
    return `${path}: “${word}” in …${around}…`;
  });
}

/** A page line by line; of a source what its strings say. */
function textsOf(path: string): string[] {
  const content = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.md')) return content.split('\n');
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true));
  return texts;
}
