import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.js';

const headers = { 'x-request-id': 'a' };

test('an outcome has the status of the answer, and its code in any of the three forms of an error', () => {
  expect(outcomeOf({ status: 200, headers, text: '{"status": "ok"}' })).toBe('200');
  const v1 = '{"status": "Error (No File)", "error": {"code": "no_file"}}';
  expect(outcomeOf({ status: 400, headers, text: v1 })).toBe('400 no_file');
  expect(outcomeOf({ status: 404, headers, text: '{"code": "not_found", "status": 404}' })).toBe(
    '404 not_found',
  );
  expect(outcomeOf({ status: 500, headers, text: '<h1>oops' })).toBe('500 without a code');
});

test('an answer without a required header is not documented', () => {
  const busy = '{"error": {"code": "service_busy"}}';
  expect(outcomeOf({ status: 503, headers, text: busy })).toBe('503 service_busy, lacks Retry-After');
  expect(outcomeOf({ status: 200, headers: {}, text: '{}' })).toBe('200, lacks X-Request-Id');
});
