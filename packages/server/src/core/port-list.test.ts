import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { parsePorts } from './port-list.js';

test.each<[string, number[], number[]]>([
  ['', [], [1, 5000]],
  ['5000', [5000], [4999, 5001]],
  [' 5000, 32168 ,8000 - 8010', [5000, 32168, 8000, 8005, 8010], [7999, 8011]],
])('%j', (list, allowed, others) => {
  const includes = parsePorts(list);
  expect(allowed.map((port) => includes?.(port))).toEqual(allowed.map(() => true));
  expect(others.map((port) => includes?.(port))).toEqual(others.map(() => false));
});

test.each(['x', '0', '65536', '9-8', '5000,', '1-2-3', '-5'])('%j is no list of ports', (list) => {
  expect(parsePorts(list)).toBeNull();
  const env = { LYNCEUS_COMPAT_LISTENER_PORTS: list };
  expect(() => loadSettings({ env, cwd: '/nowhere' })).toThrow(/compatListenerPorts.*5000,32168,8000-8010/);
});
