import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const sources = execFileSync('git', ['ls-files', 'packages/server/src'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/fixtures\/|\/bench\//.test(path))
  .map(read)
  .join('\n');
const [, section = ''] = read('docs/api.md').split('### Operations and kinds of jobs\n');
const [tables = ''] = section.split('\n### ');
/** Names in the first column of its tables. */
const listed = [...tables.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

test('docs/api.md names every operation that counts calls, and every kind of jobs', () => {
  const operations = sources.matchAll(/'((?:v1|v2|drop|deepstack|compreface|doods|frigate)\.[a-z_]+)'/g);
  const kinds = sources.matchAll(/export const \w*[kK]ind = '([a-z-]+)';/g);
  const names = new Set([...operations, ...kinds].map(([, name = '']) => name));
  expect([...listed].sort()).toEqual([...names].sort());
});

test('docs/api.md says where the ids of built-in models are', () => {
  expect(read('docs/api.md')).toMatch(/\/api\/models\/built-in.*`predicts_as`/);
});

test('the certificate of which the examples speak is where a service of this clone puts it', () => {
  const examples = read('examples/README.md');
  const [, path = ''] = examples.match(/^export FTP_CERTIFICATE=(\S+)/m) ?? [];
  expect(resolve(root, 'examples', path)).toBe(resolve(root, 'data/ftp/certificate.pem'));
});
