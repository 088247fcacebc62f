import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faceCalls } from '../../../faces/routes/fixtures/face-calls.js';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { multipart } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { haveFfmpeg } from '../../fixtures/programs.js';
import { makeVideo } from '../../fixtures/videos.js';
import { insertVideo } from '../fixtures/insert-video.js';
import { Timeline } from './timeline.js';

const maybe = test.skipIf(!haveFfmpeg());
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ videoMaxBytes: 1_000_000, streamAllowedNetworks: '127.0.0.0/8' });
});
afterAll(() => service.stop());

const call = (path: string, options: Parameters<typeof callApi>[2] = {}) =>
  callApi(service, path, { key: service.key, ...options });
/** For what is no JSON. */
async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await request(`${service.base}${path}`, {
    headers: { 'x-api-key': service.key, ...headers },
  });
  const { 'content-type': type, 'content-range': range, 'content-length': length, etag } = answer.headers;
  return {
    status: answer.statusCode,
    text: await answer.body.text(),
    ...{ type, range, length, etag: String(etag) },
  };
}
const mp4Like = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), Buffer.alloc(2000)]);

function upload(content: Buffer, fields: Readonly<Record<string, string>> = {}) {
  const { body, headers } = multipart([
    ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
    { name: 'file', fileName: 'film.mp4', type: 'video/mp4', content },
  ]);
  return call('/api/videos', { method: 'POST', body, headers });
}

async function untilEnded(id: number) {
  for (;;) {
    const { json } = await call(`/api/videos/${id}`);
    if (json.state !== 'waiting' && json.state !== 'running') return json;
    await sleep(50);
  }
}

maybe('a film is uploaded, looked through, and read in every form', async () => {
  const sure = {
    ...found.detect,
    detections: found.detect?.detections.slice(0, 1) ?? [],
    calibration: 'test-1',
  };
  service.runner.script = async () => ({
    ...found,
    detect: sure,
    draw: { jpeg: Buffer.from('a small JPEG'), width: 100, height: 100 },
  });
  const path = await makeVideo(service.folder.dir, 'film.mp4', { width: 640, height: 480, seconds: 3 });
  const settings = JSON.stringify({ fps: 2, classes: [{ label: 'dog', min_score: 0.5, min_area: 0 }] });
  const sent = await upload(await readFile(path), { settings, name: 'the dog' });
  expect([sent.status, sent.json]).toEqual([202, expect.objectContaining({ name: 'the dog' })]);
  expect(sent.json.settings).toMatchObject({ fps: 2, model_id: null, names_people: false });
  const ended = await untilEnded(sent.json.id);
  expect(ended).toMatchObject({
    state: 'done',
    job: { state: 'done', progress: { stage: 'analysing', total: 3 }, result: { tracks: 1 } },
    info: { width: 640, height: 480, codec: 'h264', fps: 10 },
    file: { media_type: 'video/mp4' },
  });
  expect(service.runner.seen.find(({ kind }) => kind === 'frame')).toMatchObject({ priority: 'batch' });
  const { json: timeline } = await call(`/api/videos/${ended.id}/timeline`);
  expect([...Value.Errors(Timeline, timeline)]).toEqual([]);
  expect(timeline).toMatchObject({
    is_cut: false,
    classes: [{ label: 'dog', intervals: [{ start_seconds: 0 }] }],
    tracks: [{ label: 'dog', score: 1, person: null }],
  });
  const [track] = timeline.tracks;
  const image = await read(`/api/videos/${ended.id}/thumbnails/${track.thumbnail}`);
  expect([image.status, image.type, image.text]).toEqual([200, 'image/jpeg', 'a small JPEG']);
  const csv = await read(`/api/videos/${ended.id}/timeline?format=csv`);
  expect(csv.type).toMatch(/^text\/csv/);
  expect(csv.text.split('\r\n')).toHaveLength(3);
  const vtt = await read(`/api/videos/${ended.id}/timeline?format=vtt`);
  expect([vtt.type, vtt.text]).toEqual([
    expect.stringMatching(/^text\/vtt/),
    expect.stringMatching(/^WEBVTT\n\n1\n00:00:00.000 --> 00:00:0\d.\d{3}\ndog\n$/),
  ]);
  const { json: list } = await call('/api/videos?limit=1');
  expect(list.data).toEqual([ended]);
  const { json: receipt } = await call(`/api/videos/${ended.id}`, { method: 'DELETE' });
  expect(receipt.file_bytes).toBeGreaterThan(ended.file.bytes);
  expect((await call(`/api/videos/${ended.id}/file`)).status).toBe(404);
});

maybe('a film is analysed again, and its timeline stays until the new one is there', async () => {
  const titled = (title: string) => ({
    ...found.detect,
    detections: (found.detect?.detections ?? []).slice(0, 1).map((each) => ({
      ...each,
      label: { id: `test:${title}`, title },
    })),
    calibration: 'test-1',
  });
  const draw = { jpeg: Buffer.from('a small JPEG'), width: 100, height: 100 };
  service.runner.script = async () => ({ ...found, detect: titled('dog'), draw });
  const path = await makeVideo(service.folder.dir, 'again.mp4', { width: 640, height: 480, seconds: 3 });
  const { json: sent } = await upload(await readFile(path), { settings: '{"fps": 2, "parts": ["objects"]}' });
  await untilEnded(sent.id);
  const timeline = async () => (await call(`/api/videos/${sent.id}/timeline`)).json;
  const before = await timeline();
  const files = async () => {
    const kept: string[] = [];
    for await (const { id } of service.media.files.list()) kept.push(id);
    return kept;
  };
  const filesBefore = await files();

  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  service.runner.script = async () => {
    await held;
    return { ...found, detect: titled('cat'), draw };
  };
  const again = (body?: object) =>
    call(`/api/videos/${sent.id}/analyses`, { method: 'POST', ...(body && { body }) });
  expect(await again({ settings: { fps: 99 } })).toMatchObject({ status: 400 });
  expect(await again({ settings: { model_id: '9002' } })).toMatchObject({
    ...{ status: 400, json: { code: 'invalid_model' } },
  });
  const begun = await again({ settings: { fps: 5, text_languages: ['DE'] } });
  expect(begun).toMatchObject({
    status: 202,
    json: {
      // The work may have begun before the answer is read.
      ...{ state: expect.stringMatching(/^(waiting|running)$/), has_timeline: true },
      settings: { fps: 5, parts: ['objects'], text_languages: ['de'] },
    },
  });
  expect(await again()).toMatchObject({
    ...{ status: 409, json: { code: 'conflict', detail: expect.stringMatching(/is being analysed/) } },
  });
  expect(await timeline()).toEqual(before);
  goOn();
  expect(await untilEnded(sent.id)).toMatchObject({
    state: 'done',
    has_timeline: true,
    settings: { fps: 5 },
  });
  expect((await timeline()).classes).toMatchObject([{ label: 'cat' }]);
  const [{ thumbnail: old }] = before.tracks;
  expect((await read(`/api/videos/${sent.id}/thumbnails/${old}`)).status).toBe(404);
  const filesAfter = await files();
  expect(filesAfter).toHaveLength(filesBefore.length);
  expect(filesAfter).not.toContain(old);
  await call(`/api/videos/${sent.id}`, { method: 'DELETE' });
  expect((await again()).status).toBe(404);
});

maybe('one whose second analysis is cancelled has its timeline, and is analysed once more', async () => {
  const script = async () => found;
  service.runner.script = script;
  const path = await makeVideo(service.folder.dir, 'twice.mp4', { width: 320, height: 240, seconds: 2 });
  const { json: sent } = await upload(await readFile(path));
  await untilEnded(sent.id);
  const before = (await call(`/api/videos/${sent.id}/timeline`)).json;
  service.runner.script = (signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const again = () => call(`/api/videos/${sent.id}/analyses`, { method: 'POST' });
  const { json: begun } = await again();
  while ((await call(`/api/videos/${sent.id}`)).json.state === 'waiting') await sleep(20);
  await call(`/api/jobs/${begun.job.id}`, { method: 'DELETE' });
  expect(await untilEnded(sent.id)).toMatchObject({ state: 'cancelled', has_timeline: true });
  expect((await call(`/api/videos/${sent.id}/timeline`)).json).toEqual(before);
  service.runner.script = script;
  expect((await again()).status).toBe(202);
  expect(await untilEnded(sent.id)).toMatchObject({ state: 'done' });
  await call(`/api/videos/${sent.id}`, { method: 'DELETE' });
});

maybe('what could not be fetched is fetched again', async () => {
  service.runner.script = async () => found;
  const path = await makeVideo(service.folder.dir, 'late.mp4', { width: 320, height: 240, seconds: 2 });
  let isThere = false;
  const films = createServer((_request, response) => {
    if (!isThere) response.writeHead(404).end();
    else createReadStream(path).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(films, 'listening');
  const { port } = films.address() as AddressInfo;
  try {
    const address = `http://127.0.0.1:${port}/late.mp4?token=secret`;
    const { json: sent } = await call('/api/videos', { method: 'POST', body: { address } });
    expect(await untilEnded(sent.id)).toMatchObject({ state: 'failed', has_timeline: false, file: null });
    isThere = true;
    expect((await call(`/api/videos/${sent.id}/analyses`, { method: 'POST', body: {} })).status).toBe(202);
    expect(await untilEnded(sent.id)).toMatchObject({ state: 'done', file: { media_type: 'video/mp4' } });
  } finally {
    films.close();
  }
});

maybe('what only looks like a film fails with the reason, and is there until it is deleted', async () => {
  const { json } = await upload(mp4Like);
  const ended = await untilEnded(json.id);
  expect(ended).toMatchObject({
    state: 'failed',
    job: { error: expect.stringMatching(/^the file cannot be read as a video/) },
  });
  expect(await call(`/api/videos/${json.id}/timeline`)).toMatchObject({ status: 409 });
  await call(`/api/videos/${json.id}`, { method: 'DELETE' });
});

test.each([
  ['a photograph', Buffer.from('\xff\xd8\xff\xe0 a photograph', 'latin1'), {}, 'unsupported_video'],
  ['a playlist', Buffer.from('#EXTM3U\n'), {}, 'unsupported_video'],
  ['nothing', Buffer.alloc(0), {}, 'no_file'],
  ['too many bytes', Buffer.concat([mp4Like, Buffer.alloc(1_000_000)]), {}, 'file_too_large'],
  ['settings that are no JSON', mp4Like, { settings: '{' }, 'wrong_parameters'],
  ['other settings', mp4Like, { settings: '{"fbs":1}' }, 'wrong_parameters'],
  ['a rate above the limit', mp4Like, { settings: '{"fps":100}' }, 'wrong_parameters'],
  ['a model that there is not', mp4Like, { settings: '{"model_id":"9002"}' }, 'invalid_model'],
  ['a perception that there is not', mp4Like, { settings: '{"perception_id":9002}' }, 'invalid_model'],
  ['a field that there is not', mp4Like, { title: 'x' }, 'wrong_parameters'],
])('%s is refused, and nothing of it is kept', async (_name, content, fields, code) => {
  const files = async () => {
    let count = 0;
    for await (const _file of service.media.files.list()) count += 1;
    return count;
  };
  const before = await files();
  const { json } = await upload(content, fields);
  expect(json.code).toBe(code);
  expect(await files()).toBe(before);
});

test.each([
  ['no address', {}, 'wrong_parameters'],
  ['another protocol', { address: 'rtsp://films.example/' }, 'wrong_parameters'],
  ['wrong settings', { address: 'http://films.example/', settings: { fps: 'x' } }, 'wrong_parameters'],
])('a video by %s is refused', async (_name, body, code) => {
  const { status, json } = await call('/api/videos', { method: 'POST', body });
  expect([status, json.code]).toEqual([400, code]);
});

test('a body that is neither a form nor JSON is refused', async () => {
  const headers = { 'content-type': 'video/mp4' };
  const { json } = await call('/api/videos', { method: 'POST', body: mp4Like, headers });
  expect(json.code).toBe('no_file');
});

test('a video at an address that is not allowed or not there fails with the reason', async () => {
  const failureOf = async (address: string) => {
    const { status, json } = await call('/api/videos', { method: 'POST', body: { address } });
    expect([status, json.file]).toEqual([202, null]);
    const { job } = await untilEnded(json.id);
    await call(`/api/videos/${json.id}`, { method: 'DELETE' });
    return job.error;
  };
  expect(await failureOf('http://169.254.169.254/latest')).toMatch(/169.254.169.254 is not allowed/);
  expect(await failureOf(`${service.base}/nowhere.mp4`)).toMatch(/no video at this address/);
});

test('a player reads parts of the file, also after it was interrupted', async () => {
  const { accountId } = service;
  const { videoId } = await insertVideo(service, accountId, { content: 'abcdefghij' });
  const ask = (headers: Record<string, string> = {}) => read(`/api/videos/${videoId}/file`, headers);
  const whole = await ask();
  expect(whole).toMatchObject({
    status: 200,
    text: 'abcdefghij',
    length: '10',
    etag: expect.stringMatching(/^".+"$/),
  });
  const part = { status: 206, text: 'cdef', range: 'bytes 2-5/10', length: '4' };
  expect(await ask({ range: 'bytes=2-5' })).toMatchObject(part);
  expect(await ask({ range: 'bytes=2-5', 'if-range': whole.etag })).toMatchObject(part);
  expect(await ask({ range: 'bytes=2-5', 'if-range': '"another"' })).toMatchObject({
    status: 200,
    length: '10',
  });
  expect(await ask({ range: 'bytes=-3' })).toMatchObject({ status: 206, text: 'hij' });
  expect(await ask({ range: 'bytes=10-' })).toMatchObject({ status: 416, range: 'bytes */10' });
  expect(await ask({ 'if-none-match': whole.etag })).toMatchObject({ status: 304, text: '' });
});

test('the name of a person who is deleted is in no timeline any more, nor is the image', async () => {
  const api = faceCalls(service, service.key);
  const { model_id: modelId } = (await api.post('/api/perceptions', { name: 'staff' })).json;
  const personId = await api.makePerson(modelId, 'Ada', 'a-1');
  const { videoId, thumbnailId } = await insertVideo(service, service.accountId, { personId });
  const timeline = async (format: string) =>
    (await read(`/api/videos/${videoId}/timeline?format=${format}`)).text;
  for (const format of ['json', 'csv', 'vtt']) expect(await timeline(format)).toContain('Ada');
  expect(await read(`/api/videos/${videoId}/thumbnails/${thumbnailId}`)).toMatchObject({ status: 200 });
  await call(`/api/people/${personId}`, { method: 'DELETE' });
  for (const format of ['json', 'csv', 'vtt']) expect(await timeline(format)).not.toContain('Ada');
  expect(await call(`/api/videos/${videoId}/thumbnails/${thumbnailId}`)).toMatchObject({ status: 404 });
});
