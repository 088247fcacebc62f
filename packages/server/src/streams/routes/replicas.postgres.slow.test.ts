import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { followEvents } from '../../http/api/fixtures/follow-events.js';
import type { TestService } from '../../http/fixtures/test-service.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';
import { addStream, person, seeing, startStreamService, until } from './fixtures/stream-service.js';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop();
});

/** Two services on one database and a camera; the first runs its streams. */
async function open(rolesOfSecond: string): Promise<readonly [TestService, TestService, TestCamera]> {
  const first = await startStreamService();
  const second = await startStreamService({ beside: first, roles: rolesOfSecond });
  const camera = await startTestCamera();
  opened.push(first, second, camera);
  for (const { runner } of [first, second]) runner.script = async () => seeing(person);
  return [first, second, camera];
}

test.skipIf(!haveFfmpeg())('a stream that another service runs is watched through this one', async () => {
  const [first, second, camera] = await open('http');
  const stream = await addStream(second, camera);
  await stream.until('running');
  const key = { 'x-api-key': second.key };
  const { statusCode, headers, body } = await request(`${second.base}${stream.path}/latest.jpg?boxes=true`, {
    headers: key,
  });
  expect([statusCode, await body.text()]).toEqual([200, 'a drawing']);
  expect(Date.parse(String(headers['x-frame-time']))).toBeGreaterThan(Date.now() - 60_000);

  const tags = await followEvents(second, `${stream.path}/tags`, key);
  const view = await followEvents(second, `${stream.path}/view.mjpg`, key);
  const count = () => ({
    tags: tags.text.split('data: {').length - 1,
    parts: view.text.split('--lynceus-frame').length - 2,
  });
  await until(() => expect(count()).toMatchObject({ tags: expect.any(Number) }));
  await until(() => expect(Math.min(...Object.values(count()))).toBeGreaterThan(3));
  expect(tags.text).toContain('"object_title": "person"');
  expect(tags.text).toContain(`"stream_id": ${stream.id}`);

  for (const followed of [tags, view]) followed.leave();
  // Images do not stay in the database.
  const { query } = first.database;
  await until(async () => expect(await query.selectFrom('stream_preview').selectAll().execute()).toEqual([]));
});

test.skipIf(!haveFfmpeg())(
  'a stream goes on in another service when its own stops, and its open tracks end once',
  async () => {
    const [first, second, camera] = await open('http,streams');
    const stream = await addStream(second, camera);
    await stream.until('running');
    await until(async () => expect(await stream.kinds()).toEqual(['start']));
    const { query } = first.database;
    const ownerOf = async () =>
      (
        await query.selectFrom('lease').select(['owner', 'epoch']).where('name', 'like', 'stream %').execute()
      )[0];
    const before = await ownerOf();
    const view = await followEvents(second, `${stream.path}/view.mjpg`, { 'x-api-key': second.key });
    await (first.runner.seen.length > second.runner.seen.length
      ? first
      : second
    ).runningStreams.supervisor?.stop();
    await until(async () => expect((await ownerOf())?.owner).not.toBe(before?.owner));
    await until(async () => expect(await stream.kinds()).toEqual(['start', 'end', 'start']));
    const parts = view.text.length;
    await until(() => expect(view.text.length).toBeGreaterThan(parts));
    view.leave();
    expect((await callApi(second, stream.path)).json.state.state).toBe('running');
  },
);

test.skipIf(!haveFfmpeg())('streams are run by one service each', async () => {
  const [first, second, camera] = await open('http,streams');
  const streams = [];
  for (let count = 0; count < 4; count++) streams.push(await addStream(second, camera));
  for (const stream of streams) await stream.until('running');
  const rows = await first.database.query
    .selectFrom('lease')
    .select('name')
    .where('name', 'like', 'stream %')
    .execute();
  expect(new Set(rows.map(({ name }) => name)).size).toBe(4);
  expect(camera.counts.open).toBe(4);
});
