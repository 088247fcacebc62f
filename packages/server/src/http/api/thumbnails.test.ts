import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropCalls } from '../../drops/routes/fixtures/drop-calls.js';
import { faceCalls } from '../../faces/routes/fixtures/face-calls.js';
import { datasetCalls } from '../../training/datasets/routes/fixtures/dataset-calls.js';
import { imageBytes, multipart } from '../fixtures/bodies.js';
import { callV1 } from '../fixtures/call-v1.js';
import { found } from '../fixtures/scripted-runner.js';
import { isBehindNginx, startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
/** Paths of images, one of each kind. */
let paths: Record<'analysis' | 'face' | 'dataset' | 'drop', string>;
let imageId: number;
beforeAll(async () => {
  service = await startTestService({ keepImages: true });
  const faces = faceCalls(service);
  imageId = await faces.addImage(await faces.makePerson(await faces.makePerception(), 'Ada'), 0);
  const datasets = datasetCalls(service);
  const datasetId = await datasets.make();
  const [datasetImageId] = await datasets.fill(datasetId, 'cat', 1);
  const drops = dropCalls(service);
  const drop = await drops.make();
  const photo = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
  service.runner.script = async () => found;
  await drops.send(drop, ['IMG_1.jpg'], await photo.jpeg().toBuffer());
  const [file] = await drops.settled(drop.id, 'done');
  const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000) }]);
  const { fileid } = (await callV1(service, '/predict/image', { sent })).json;
  paths = {
    analysis: `/api/files/${fileid}/content`,
    face: `/api/face-images/${imageId}/content`,
    dataset: `/api/datasets/${datasetId}/images/${datasetImageId}/content`,
    drop: `/api/drops/${drop.id}/files/${file.id}/content`,
  };
});
afterAll(() => service.stop());

async function get(path: string, headers: Record<string, string> = {}) {
  service.runner.script = async () => found;
  const answer = await request(`${service.base}${path}`, {
    headers: { 'x-api-key': service.key, ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

async function thumbnailsKept(): Promise<string[]> {
  const entries = await readdir(service.folder.thumbnailsDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe.each(['analysis', 'face', 'dataset', 'drop'] as const)('an image of %s', (kind) => {
  test('is given small, for the cache of one browser and one account', async () => {
    const { status, headers, text } = await get(`${paths[kind]}?width=160`);
    expect([status, text]).toEqual([200, 'a small JPEG']);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization, X-API-Key, Cookie',
      'x-content-type-options': 'nosniff',
    });
    expect(service.runner.seen.at(-1)?.options).toEqual({ thumbnail: { maxSidePx: 160 } });
  });

  test('is not sent again to whoever has it, and not made again for anybody', async () => {
    const { headers } = await get(`${paths[kind]}?width=320`);
    const before = service.runner.seen.length;
    const again = await get(`${paths[kind]}?width=320`, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get(`${paths[kind]}?width=320`)).status).toBe(200);
    expect((await get(`${paths[kind]}?width=64`)).headers['etag']).not.toBe(headers['etag']);
    expect(service.runner.seen.length).toBe(before + 1);
  });

  test.each(['100', '0', '-64', '64.0', 'wide', '1e3'])(
    'width=%s is refused with the sizes that there are',
    async (width) => {
      const { status, text } = await get(`${paths[kind]}?width=${width}`);
      expect([status, JSON.parse(text).detail]).toEqual([
        400,
        expect.stringContaining('width must be one of 64, 160, 320, 640, 1280'),
      ]);
    },
  );
});

test('a face is cut out with a margin; without a size it is refused', async () => {
  expect((await get(`${paths.face}?width=160&crop=face`)).status).toBe(200);
  const { box } = (await callApi(service, `/api/face-images/${imageId}`)).json;
  const options = service.runner.seen.at(-1)?.options['thumbnail'];
  expect(options).toMatchObject({ maxSidePx: 160, region: { imageSidePx: 640 } });
  const region = JSON.parse(JSON.stringify(options)).region.box;
  expect(region.xMax - region.xMin).toBeCloseTo(region.yMax - region.yMin);
  expect(region.xMin).toBeLessThan(box.x_min);
  expect(region.yMax).toBeGreaterThan(box.y_max);
  const { status, text } = await get(`${paths.face}?crop=face`);
  expect([status, JSON.parse(text).detail]).toEqual([400, expect.stringContaining('width')]);
});

test('thumbnails are background work', async () => {
  await get(`${paths.dataset}?width=1280`);
  expect(service.runner.seen.at(-1)?.priority).toBe('background');
});

test('a file that is no image has none, and says why', async () => {
  const drops = dropCalls(service);
  const drop = await drops.make();
  await drops.send(drop, ['notes.txt'], Buffer.from('no image at all'));
  const [file] = await drops.settled(drop.id, 'failed');
  const { status, text } = await get(`/api/drops/${drop.id}/files/${file.id}/content?width=64`);
  expect([status, JSON.parse(text).detail]).toEqual([415, expect.stringContaining('not an image')]);
});

// Another replica has thumbnails of its own until its next sweep.
test.skipIf(isBehindNginx)('deleting what they show deletes all thumbnails', async () => {
  const deletable = { ...paths, face: `/api/face-images/${imageId}/content` };
  for (const path of Object.values(deletable)) {
    await callApi(service, path.replace(/\/content$/, ''), { method: 'DELETE' });
    expect((await get(`${path}?width=160`, { 'if-none-match': '*' })).status).toBe(404);
  }
  expect(await thumbnailsKept()).toEqual([]);
});
