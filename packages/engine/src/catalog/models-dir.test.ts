import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultModelsDir } from './models-dir.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lynceus-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const dataDir = '/srv/lynceus/data';

test('models are in the cache folder of the user', () => {
  expect(defaultModelsDir({ env: { HOME: home }, dataDir })).toBe(join(home, '.cache/lynceus/models'));
});

test('XDG_CACHE_HOME names the cache folder when it is absolute', () => {
  const cache = join(home, 'cache');
  expect(defaultModelsDir({ env: { HOME: '/nowhere', XDG_CACHE_HOME: cache }, dataDir })).toBe(
    join(cache, 'lynceus/models'),
  );
  expect(defaultModelsDir({ env: { HOME: home, XDG_CACHE_HOME: 'cache' }, dataDir })).toBe(
    join(home, '.cache/lynceus/models'),
  );
});

test.each([{}, { HOME: '' }, { HOME: 'home' }, { HOME: '/nowhere/at/all' }])(
  'without a usable home (%o) models are in the data folder',
  (env) => {
    expect(defaultModelsDir({ env, dataDir })).toBe('/srv/lynceus/data/models');
  },
);

test('a home that cannot hold a folder is not usable', () => {
  mkdirSync(join(home, 'in'));
  writeFileSync(join(home, 'file'), '');
  expect(defaultModelsDir({ env: { HOME: join(home, 'file') }, dataDir })).toBe('/srv/lynceus/data/models');
});
