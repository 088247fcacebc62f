import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logFtpEvents } from './log-ftp-events.js';
import type { FtpEvent } from './session.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function startLog() {
  const lines: { level: string; fields: object; text: string }[] = [];
  const at =
    (level: string) =>
    (fields: object, text: string): void => {
      lines.push({ level, fields, text });
    };
  const logger = { info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, log: logFtpEvents({ logger, maxEach: 3, intervalMs: 1000 }) };
}
const turnedAway = (n: number): FtpEvent => ({
  kind: 'connection-refused',
  address: `192.0.2.${n % 256}`,
  why: 'connection limit',
});

test('a hundred thousand connections that are turned away leave a few lines: the first ones, how many more, and the last', () => {
  const { lines, log } = startLog();
  for (let n = 0; n < 100_000; n++) log(turnedAway(n));
  expect(lines).toHaveLength(3);
  vi.advanceTimersByTime(1000);
  expect(lines).toHaveLength(4);
  expect(lines[3]?.fields).toMatchObject({ suppressed: 99_997, address: `192.0.2.${99_999 % 256}` });
  expect(lines[3]?.text).toContain('99997 times more');
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(4);
});

test('after a while they are logged one by one again, and each kind by itself', () => {
  const { lines, log } = startLog();
  for (let n = 0; n < 10; n++) log(turnedAway(n));
  log({ kind: 'log-in-refused', connection: 1, address: '192.0.2.1', isBanned: true });
  expect(lines.map(({ text }) => text)).toContain('ftp: log-in-refused');
  vi.advanceTimersByTime(1000);
  const before = lines.length;
  log(turnedAway(1));
  expect(lines.slice(before).map(({ text }) => text)).toEqual(['ftp: connection-refused']);
});

test('what those with a key do is logged each time', () => {
  const { lines, log } = startLog();
  for (let n = 0; n < 50; n++) {
    log({
      kind: 'received',
      connection: 1,
      accountId: 1,
      dropId: 1,
      path: ['incoming', `${n}.jpg`],
      sizeBytes: n,
    });
  }
  expect(lines).toHaveLength(50);
});

test('where no passive port is free the line names the setting of the range', () => {
  const { lines, log } = startLog();
  log({ kind: 'no-passive-port' });
  expect(lines).toEqual([
    expect.objectContaining({
      fields: { kind: 'no-passive-port', setting: 'LYNCEUS_FTP_PASSIVE_PORTS' },
      text: 'ftp: no-passive-port',
    }),
  ]);
});
