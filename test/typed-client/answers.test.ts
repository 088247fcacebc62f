import { createLynceusClient } from '@lynceus/client';
import { expect, test } from 'vitest';

/** A client of a service that answers this. */
const clientOf = (type: string, body: string) =>
  createLynceusClient({
    baseUrl: 'http://service.example',
    apiKey: 'key',
    fetch: async () => new Response(body, { headers: { 'content-type': type } }),
  });

test.each([
  ['text/csv; charset=utf-8', 'a,b\n', 'csv'],
  ['application/x-ndjson', '{"a": 1}\n', 'jsonl'],
] as const)('findings of an import are text, as %s', async (type, body, format) => {
  expect(await clientOf(type, body).datasets.importFindings(1001, { format })).toBe(body);
});

test('the report page of a version is read as it comes', async () => {
  const page = await clientOf('text/html; charset=utf-8', '<p>a</p>').modelVersions.reportPage(1001, 1);
  expect(page).toBeInstanceOf(ReadableStream);
  expect(await new Response(page).text()).toBe('<p>a</p>');
});

test('an answer of another type is an error', async () => {
  const { files } = clientOf('text/html', '<p>a</p>');
  await expect(files.readContent('0')).rejects.toMatchObject({ code: 'unreadable_answer' });
});
