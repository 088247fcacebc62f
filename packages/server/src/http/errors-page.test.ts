import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ErrorEntry, errorCatalogue } from '../core/error-catalogue.js';

test('docs/errors.md lists every error of the catalogue as it is', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, code = '', rest = '']) => {
    const [http, v1, v2, retry, when] = rest.split('|').map((cell) => cell.trim());
    expect(when, code).not.toBe('');
    return [code, { http: Number(http), v1, v2: Number(v2), retry }];
  });
  const entries: [string, ErrorEntry][] = Object.entries(errorCatalogue);
  const wanted = entries.map(([code, { http, v1, v2, retryAfterSeconds }]) => [
    code,
    { http, v1, v2, retry: retryAfterSeconds === undefined ? '' : String(retryAfterSeconds) },
  ]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(wanted));
  expect(rows).toHaveLength(wanted.length);
});
