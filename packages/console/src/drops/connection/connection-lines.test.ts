import { expect, test } from 'vitest';
import { connectionLines, uploaders } from './connection-lines.js';

const access = { host: 'desk.drop.example', port: 2121, userName: 'desk-1f2e', key: 'lyn_abc' };

test.each(uploaders)('%s gets host, port, user name and key', (uploader) => {
  const lines = connectionLines(uploader, access);
  for (const part of ['desk.drop.example', '2121', 'desk-1f2e', 'lyn_abc']) expect(lines).toContain(part);
});

test('an unknown key is a placeholder', () => {
  expect(connectionLines('curl', { ...access, key: null })).toContain('--user desk-1f2e:KEY ');
});

test('an IPv6 address is in brackets in a URL, and without them elsewhere', () => {
  const lines = (uploader: 'curl' | 'python') => connectionLines(uploader, { ...access, host: '::1' });
  expect(lines('curl')).toContain('ftp://[::1]:2121/');
  expect(lines('python')).toContain('"::1", 2121');
});
