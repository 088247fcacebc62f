import { getEventListeners } from 'node:events';
import { createLynceusClient } from '@lynceus/client';
import { expect, test } from 'vitest';
import { startStandIn } from './stand-in.js';

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

test('a signal ends events and files that are read as they come, and closes their connections', async () => {
  let closed = 0;
  const service = await startStandIn((request, response) => {
    response.on('close', () => (closed += 1));
    const isEvents = request.url === '/api/events';
    response.writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : 'application/x-tar' });
    response.write('event: open\ndata: {}\n\n');
  });
  try {
    const client = createLynceusClient({ baseUrl: service.url, apiKey: 'key' });
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      for await (const { event } of client.follow({ signal })) {
        expect(event).toBe('open');
        controller.abort('enough');
      }
    };
    const archive = await client.archives.export(1001, { signal });
    await expect(follow()).rejects.toMatchObject({ name: 'LynceusError', code: 'aborted', cause: 'enough' });
    await expect(new Response(archive).text()).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
    await expect.poll(() => closed).toBe(2);
  } finally {
    await service.stop();
  }
});

test('nothing stays attached to a signal when what is read as it comes has ended or was left', async () => {
  const client = clientOf('text/event-stream', 'event: ping\ndata: {}\n\nevent: ping\ndata: {}\n\n');
  const { signal } = new AbortController();
  const seen: string[] = [];
  for await (const { event } of client.follow({ signal })) seen.push(event);
  for await (const { event } of client.follow({ signal })) {
    seen.push(event);
    break;
  }
  expect(seen).toEqual(['ping', 'ping', 'ping']);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
