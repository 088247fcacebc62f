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
  /** From the base of all images on. */
  const shipped = instructions.slice(instructions.findIndex((line) => line.endsWith(' AS base')));

  test('takes every stage from bases of fixed names', () => {
    expect(valuesOf('FROM')).toEqual([
      '--platform=$BUILDPLATFORM node:24-bookworm-slim AS build',
      'build AS models',
      'node:24-bookworm-slim AS node',
      'debian:bookworm-slim AS base',
      'base AS with-models',
      'base',
    ]);
    expect(valuesOf('ADD')).toEqual([]);
  });

  test('runs as a user and group in numbers, and runs nothing as it', () => {
    const at = shipped.findIndex((line) => line.startsWith('USER '));
    expect(shipped[at]).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    expect(shipped.filter((line) => line.startsWith('USER '))).toHaveLength(1);
    expect(shipped.slice(at).filter((line) => line.startsWith('RUN '))).toEqual([]);
  });

  test('has its volumes where its settings say', () => {
    const environment = valuesOf('ENV').join(' ');
    expect(environment).toMatch(/LYNCEUS_DATA_DIR=\/data( |$)/);
    expect(valuesOf('VOLUME')).toEqual(['["/data"]', '["/data", "/models"]']);
    // The image with models has them elsewhere: a volume would hide them.
    const models = [...environment.matchAll(/LYNCEUS_MODELS_DIR=(\S+)/g)].map(([, folder]) => folder);
    expect(models).toEqual(['/opt/lynceus/models', '/models']);
  });

  test('names scripts that are there, and asks for readiness', () => {
    const scripts = instructions.flatMap((line) =>
      [...line.matchAll(/scripts\/[\w/-]+\.mjs/g)].map(([path]) => path),
    );
    expect(scripts).toContain('scripts/healthcheck.mjs');
    expect(scripts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(read('scripts/healthcheck.mjs')).toContain('/readyz');
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(valuesOf('CMD').at(-1)).toBe('["node", "scripts/installed.mjs"]');
  });
});

describe('.dockerignore', () => {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  /** As Docker reads the forms that the file has: a path from the root, `**` for any folders, `*` within a name, `!` for what comes back. */
  const rules = patterns.map((line) => {
    const isBack = line.startsWith('!');
    const parts = (isBack ? line.slice(1) : line).split('/').map((part) => {
      if (part === '**') return '(?:[^/]+/)*';
      return `${part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`;
    });
    return { isBack, expression: new RegExp(`^${parts.join('')}`) };
  });
  /** The last rule counts that fits. */
  const isIgnored = (path: string) => {
    const rule = rules.findLast(({ expression }) => expression.test(`${path}/`));
    return rule !== undefined && !rule.isBack;
  };

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
    'bench/look/run.ts',
    'bench/container/run.ts',
  ])('keeps %s out of the image', (path) => {
    expect(isIgnored(path)).toBe(true);
  });

  test('lets everything in that the product is built from', () => {
    const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const needed =
      /^(packages|scripts|docs)\/|^(package(-lock)?\.json|\.npmrc|tsconfig(\.base)?\.json|LICENSE|CHANGELOG\.md)$/;
    const needs = paths.filter((path) => needed.test(path));
    expect(needs.length).toBeGreaterThan(500);
    expect(needs.filter(isIgnored)).toEqual([]);
  });
});
