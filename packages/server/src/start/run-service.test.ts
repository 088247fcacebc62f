import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('./fixtures/stubborn-service.js', import.meta.url));

test.each([
  ['keeps working', 0, '"msg":"stopped"'],
  ['never ends its start', 0, '"msg":"stopped"'],
  ['never ends its stop', 1, '"msg":"the service did not stop in its time; the process ends"'],
  ['is never put together', 1, '"msg":"the service did not stop in its time; the process ends"'],
])('SIGTERM ends the process of a service that %s', { timeout: 30_000 }, async (way, code, line) => {
  const child = spawn(process.execPath, [entry, way], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    let log = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    await once(child.stderr, 'data');
    // The handlers of signals are set in the same turn as the line is written, or in the next.
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(log).toContain(line);
  } finally {
    child.kill('SIGKILL');
  }
});
