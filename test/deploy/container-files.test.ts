import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// What can be said without a build. `npm run bench -- container` builds the image and runs it.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the Dockerfile', () => {
  /** Instructions with their continued lines, comments left out. */
  const instructions = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const valuesOf = (name: string) =>
    instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  test('takes every stage from one base of a fixed name', () => {
    expect(valuesOf('FROM')).toEqual(['node:20-bookworm-slim AS build', 'node:20-bookworm-slim']);
    expect(valuesOf('ADD')).toEqual([]);
  });

  test('runs as a user and group in numbers, and changes nothing as it', () => {
    const at = lastStage.findIndex((line) => line.startsWith('USER '));
    expect(lastStage[at]).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    expect(lastStage.slice(at).filter((line) => /^(RUN|COPY) /.test(line))).toEqual([]);
  });

  test('has its volumes where its settings say', () => {
    const [volumes = ''] = valuesOf('VOLUME');
    const environment = valuesOf('ENV').join(' ');
    for (const [, folder] of environment.matchAll(/_DIR=(\S+)/g))
      expect(JSON.parse(volumes)).toContain(folder);
  });

  test('names scripts that are there, and asks for readiness', () => {
    const scripts = instructions.flatMap((line) =>
      [...line.matchAll(/scripts\/[\w-]+\.mjs/g)].map(([path]) => path),
    );
    expect(scripts).toContain('scripts/healthcheck.mjs');
    expect(scripts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(read('scripts/healthcheck.mjs')).toContain('/readyz');
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(valuesOf('CMD').at(-1)).toBe('["node", "scripts/start.mjs"]');
  });
});

describe('.dockerignore', () => {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  /** As Docker reads the forms that the file has: a path from the root, `**` for any folders, `*` within a name. */
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split('/').map((part) => {
      if (part === '**') return '(?:[^/]+/)*';
      return `${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`;
    });
    return new RegExp(`^${parts.join('')}`);
  });
  const isIgnored = (path: string) => expressions.some((expression) => expression.test(`${path}/`));

  test.each([
    'lynceus.json',
    'data/lynceus.db',
    'deploy/secrets/secret-key',
    'packages/server/.env.local',
    '.env',
    '.git/config',
    'node_modules/sharp/package.json',
    'packages/server/dist/bundle/lynceus.mjs',
    'npm-debug.log',
  ])('keeps %s out of the image', (path) => {
    expect(isIgnored(path)).toBe(true);
  });

  test('lets everything in that the product is built from', () => {
    const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const needed =
      /^(packages|scripts|docs)\/|^(package(-lock)?\.json|\.npmrc|tsconfig(\.base)?\.json|LICENSE)$/;
    const needs = paths.filter((path) => needed.test(path));
    expect(needs.length).toBeGreaterThan(500);
    expect(needs.filter(isIgnored)).toEqual([]);
  });
});
