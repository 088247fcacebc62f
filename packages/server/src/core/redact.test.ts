import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.js';
import { redactText } from './redact.js';
import { formatLogLine } from './terminal-lines.js';

const key = 'SECRET-of-a-customer';

describe('a key is never in a log line', () => {
  test.each([
    `/predict?api_key=${key}`,
    `/predict?model_id=1&apikey=${key}&x=2`,
    `/predict?apikey=${key}&apikey=${key}2`,
    `/predict?APIKEY=${key}`,
    `/predict?%61pi%5Fkey=${key}`,
    `/predict?%2561pikey=${key}`,
    `/predict?apikey%3D${key}`,
    `/predict?a=b;apikey=${key}`,
    `/predict?url=http%3A%2F%2Fother%2F%3Fapikey%3D${key}%26b%3Dc`,
    `/predict?url=http%253A%252F%252Fother%252F%253Fapikey%253D${key}`,
    `Authorization: Bearer ${key}`,
    `{"headers":{"x-api-key":"${key}","authorization":"Bearer ${key}"}}`,
    `cannot reach postgres://me:${key}@host/d?sslmode=require`,
    `curl "http://127.0.0.1/?api_key=${key}"`,
  ])('as %s', (text) => {
    expect(redactText(text)).not.toContain(key);
    expect(redactText(text)).toContain('[redacted]');
  });

  test('whatever field, message or error it came in', () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } });
    const own = `lyn_${'k'.repeat(43)}`;
    logger.info(
      { req: { url: `/p?apikey=${key}` }, headers: { authorization: `Bearer ${key}` } },
      `got ${own}`,
    );
    logger.error({ err: new Error(`no such key ${own} at /p?api_key=${key}`) }, 'failed');
    logger.child({ url: `/x?apikey=${key}` }).warn('child');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).not.toContain(key);
      expect(line).not.toContain(own);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  test('however its name is percent-encoded', () => {
    const encodeSome = (name: string, mask: readonly boolean[]) =>
      [...name].map((c, i) => (mask[i] ? `%${c.charCodeAt(0).toString(16)}` : c)).join('');
    fc.assert(
      fc.property(
        fc.constantFrom('apikey', 'api_key'),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        fc.constantFrom('?', '&', '?a=1&', '?a&'),
        (name, mask, before) => !redactText(`/p${before}${encodeSome(name, mask)}=${key}`).includes(key),
      ),
    );
  });

  test('and what is no secret stays', () => {
    const line = '{"url":"/predict?model_id=5&conf_thresh=0.4","msg":"a=b & c=d, 100% = all"}';
    expect(redactText(line)).toBe(line);
  });

  test('and no text takes long to look through', () => {
    for (const evil of [
      '?a%'.repeat(30_000),
      '?a%3f'.repeat(20_000),
      '&'.repeat(90_000),
      `?a=${'%3fa%3d'.repeat(9000)}`,
    ]) {
      const before = process.cpuUsage();
      redactText(evil);
      // CPU, since a busy machine makes everybody wait.
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    }
  });
});

describe('lines on a terminal', () => {
  const format = (record: object) => {
    const lines: string[] = [];
    createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } }).info(record, 'hello');
    return formatLogLine(String(lines[0]), false);
  };

  test('are short and readable', () => {
    expect(format({ port: 8080, path: '/a b' })).toMatch(
      /^\d\d:\d\d:\d\d info {2}hello port=8080 path="\/a b"$/,
    );
    expect(format({ err: { message: 'm', stack: 'Error: m\n    at x' } })).toMatch(
      /hello\n {2}Error: m\n {6}at x$/,
    );
  });

  test('cannot move the cursor', () => {
    expect(format({ agent: '\u001b[2Jx\u202e' })).toMatch(/agent="\\u001b\[2Jx\?"$/);
    expect(formatLogLine('not json\n', false)).toBe('not json');
  });
});
