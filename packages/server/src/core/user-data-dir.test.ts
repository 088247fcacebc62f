import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userDataDir } from './user-data-dir.js';

test.each([
  [{ HOME: '/home/anna' }, '/home/anna/.local/share/lynceus'],
  [{ HOME: '/home/anna', XDG_DATA_HOME: '/data' }, '/data/lynceus'],
  [{ HOME: '/home/anna', XDG_DATA_HOME: 'data' }, '/home/anna/.local/share/lynceus'],
  [{ HOME: '/home/anna', XDG_DATA_HOME: '' }, '/home/anna/.local/share/lynceus'],
  [{}, join(homedir(), '.local/share/lynceus')],
])('with %j it is %s', (env, expected) => {
  expect(userDataDir(env)).toBe(expected);
});
