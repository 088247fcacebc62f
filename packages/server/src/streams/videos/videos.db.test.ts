import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { createPeople } from '../../faces/people.js';
import { createPerceptions } from '../../faces/perceptions.js';
import { createJobs } from '../../service/jobs/jobs.js';
import { createLeases } from '../../service/jobs/leases.js';
import { createSecretBox } from '../../storage/secrets/secret-box.js';
import { openStreamDatabase, type StreamDatabase } from '../fixtures/stream-database.js';
import { createVideoFiles, withVideoFile } from '../video-files.js';
import { createVideoDeletion } from './deletion.js';
import { insertVideo } from './fixtures/insert-video.js';
import { forgetPeopleInVideos } from './forget-people.js';
import { videoKind } from './video.js';
import { openAddress } from './video-address.js';
import { createVideoQuota } from './video-quota.js';
import { defaultVideoSettings } from './video-settings.js';
import { createVideoStore } from './video-store.js';
import { createVideos } from './videos.js';

const day = 86_400_000;
let stored: StreamDatabase;
let nowMs: number;
let checked: unknown[];
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());
beforeEach(() => {
  nowMs = Date.now();
  checked = [];
});

const secretBox = createSecretBox([randomBytes(32)]);
const clock = () => nowMs;
const disk = {
  require: async () => undefined,
  shortage: async () => null,
  guard: (content: AsyncIterable<Uint8Array>) => content,
};

function openVideos(
  limits: { videoMaxBytes?: number; videoMaxTotalBytes?: number; videoDays?: number } = {},
) {
  const { database, media, accountId } = stored;
  const jobs = createJobs({ database, clock });
  const videos = createVideos({
    ...{ database, sealing: database, clock, jobs, media, secretBox },
    quota: createVideoQuota({
      ...{ database, disk },
      limits: { videoMaxBytes: 1_000_000, videoMaxTotalBytes: 0, ...limits },
    }),
    limits: { videoDays: 30, ...limits },
    checkReferences: async (_account, settings) => {
      checked.push(settings);
      if (settings.modelReference === 'missing')
        throw new ServiceError('invalid_model', 'missing is not one of your models');
    },
  });
  const deletion = createVideoDeletion({ database, clock, media });
  const people = createPeople({ database, clock, quota: { require: async () => undefined } });
  const store = createVideoStore({ ...{ database, videos, deletion, people }, files: media.files });
  return { ...{ accountId, database, media, jobs, videos, deletion, people, store } };
}

async function* film(length = 5000): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\0\0\0\x20ftypisom', 'latin1');
  yield Buffer.alloc(length - 12, 'x');
}
const filesLeft = async () => {
  const found: string[] = [];
  for await (const { id } of stored.media.files.list()) found.push(id);
  return found;
};

test('an upload is kept with its settings, and a job is to look through it', async () => {
  const { videos, accountId, jobs, media } = openVideos();
  const added = await videos.add(accountId, film(), () => ({
    fileName: 'Entrance.mp4',
    settings: { fps: 5 },
  }));
  expect(added).toMatchObject({
    ...{ name: 'Entrance.mp4', address: null, info: null, timelineId: null },
    settings: { ...defaultVideoSettings, fps: 5 },
    file: { mediaType: 'video/mp4', sizeBytes: 5000 },
    ...{ createdAt: nowMs, expiresAt: nowMs + 30 * day },
  });
  expect(added.settings.namesPeople).toBe(false);
  expect(await videos.read(accountId, added.id)).toEqual(added);
  expect(await jobs.latest(accountId, videoKind, String(added.id))).toMatchObject({ state: 'waiting' });
  const kept = await media.read(accountId, added.file?.id ?? '');
  expect(kept?.sizeBytes).toBe(5000);
  kept?.stream.destroy();
  await expect(videos.read(accountId + 1, added.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a name that is none is left to the file, and without one it is called video', async () => {
  const { videos, accountId } = openVideos({ videoDays: 0 });
  const nameOf = async (name: string | undefined, fileName: string | null) =>
    (await videos.add(accountId, film(), () => ({ name, fileName }))).name;
  expect(await nameOf(' hall ', 'a.mp4')).toBe('hall');
  expect(await nameOf(undefined, '\0')).toBe('video');
  expect(await nameOf(undefined, null)).toBe('video');
  await expect(nameOf('', 'a.mp4')).rejects.toMatchObject({ code: 'wrong_parameters' });
  const { items } = await videos.list(accountId, { limit: 1, after: undefined });
  expect(items[0]?.expiresAt).toBeNull();
});

test('of an upload that is refused nothing is left', async () => {
  const { videos, accountId } = openVideos({ videoMaxBytes: 6000 });
  const before = [await filesLeft(), (await videos.list(accountId, { limit: 100, after: undefined })).items];
  const plain = () => ({ fileName: null });
  const broken = async function* () {
    yield* film();
    throw new ServiceError('bad_request', 'the body broke off before its end');
  };
  const refusals = [
    [film(6001), plain, 'file_too_large'],
    [broken(), plain, 'bad_request'],
    [film(), () => ({ fileName: null, settings: { modelReference: 'missing' } }), 'invalid_model'],
    [film(), () => Promise.reject(new ServiceError('invalid_api_key', 'no API key')), 'invalid_api_key'],
  ] as const;
  for (const [content, describe, code] of refusals)
    await expect(videos.add(accountId, content, describe)).rejects.toMatchObject({ code });
  expect([await filesLeft(), (await videos.list(accountId, { limit: 100, after: undefined })).items]).toEqual(
    before,
  );
});

test('an account has so many bytes of videos and no more, of uploads at once too', async () => {
  const { videos, accountId, deletion, database } = openVideos();
  const { bytes } = await database.query
    .selectFrom('media_blob')
    .select(({ fn }) => fn.sum<number>('size_bytes').as('bytes'))
    .where('kind', '=', 'video')
    .executeTakeFirstOrThrow();
  const limited = openVideos({ videoMaxTotalBytes: Number(bytes) + 12_000 }).videos;
  const add = () => limited.add(accountId, film(), () => ({ fileName: null }));
  const outcomes = await Promise.allSettled([add(), add(), add(), add()]);
  const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(added).toHaveLength(2);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'account_full' });
  await deletion.removeVideo(accountId, added[0]?.id ?? 0);
  await add();
  await expect(videos.list(accountId, { limit: 100, after: undefined })).resolves.toBeDefined();
});

test('an address is kept sealed, and shown without what is secret in it', async () => {
  const { videos, accountId, database } = openVideos();
  const address = 'https://ada:secret-word@films.example/a%20b.mp4?token=secret-token&part=2';
  const added = await videos.addByAddress(accountId, address, {});
  expect(added).toMatchObject({ name: 'a b.mp4', file: null });
  expect(added.address).toBe('https://films.example/a%20b.mp4?token=***&part=2');
  const row = await database.query
    .selectFrom('video')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', added.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toMatch(/secret-word|secret-token/);
  expect(openAddress(row.sealed_secrets ?? '', secretBox, row.uid)).toEqual({
    url: 'https://films.example/a%20b.mp4?token=secret-token&part=2',
    ...{ username: 'ada', password: 'secret-word' },
  });
  await expect(videos.addByAddress(accountId, 'file:///etc/passwd', {})).rejects.toMatchObject({
    code: 'wrong_parameters',
  });
});

test('a video that is being deleted is not analysed again, and settings of a refused analysis are not kept', async () => {
  const { videos, accountId, database, jobs } = openVideos();
  const added = await videos.add(accountId, film(), () => ({ fileName: null }));
  const again = videos.analyseAgain(accountId, added.id, { fps: 7 });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
  expect((await videos.read(accountId, added.id)).settings.fps).toBe(2);
  const job = await jobs.latest(accountId, videoKind, String(added.id));
  await jobs.cancel(accountId, job?.id ?? '');
  const deleting = createVideos({
    ...{ database, sealing: database, clock, jobs, media: stored.media, secretBox },
    quota: createVideoQuota({ database, disk, limits: { videoMaxBytes: 1, videoMaxTotalBytes: 0 } }),
    limits: { videoDays: 30 },
    checkReferences: async () => {
      const hide = database.query.updateTable('video').set({ deleted_at: nowMs });
      await database.write([hide.where('account_id', '=', accountId).where('id', '=', added.id)]);
    },
  });
  await expect(deleting.analyseAgain(accountId, added.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await jobs.latest(accountId, videoKind, String(added.id))).toMatchObject({ state: 'cancelled' });
});

test('a deletion takes rows, files and the job, whose units fail from then on', async () => {
  const { videos, accountId, deletion, database, jobs, media } = openVideos();
  const added = await videos.add(accountId, film(), () => ({ fileName: null }));
  const { owner } = stored.openLeases();
  const leases = createLeases({ database, clock, owner, leaseMs: 30_000 });
  const job = await jobs.latest(accountId, videoKind, String(added.id));
  const taken = await leases.take(videoKind, { id: job?.id ?? '' });
  const { row, id } = await media.write(
    { accountId, kind: 'thumbnail', owner: { videoId: added.id }, mediaType: 'image/jpeg' },
    film(),
  );
  expect(await deletion.removeVideo(accountId, added.id)).toEqual({ bytes: 5000 });
  const fence = taken ? leases.fence(taken.lease) : [];
  await expect(database.write([row, ...fence])).rejects.toThrow();
  await media.files.remove(id);
  expect(await jobs.latest(accountId, videoKind, String(added.id))).toBeNull();
  await expect(videos.read(accountId, added.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await filesLeft()).not.toContain(added.file?.id);
  await expect(deletion.removeVideo(accountId, added.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a deletion that was cut short is hidden, and completed later', async () => {
  const { accountId, deletion, database, media, videos } = openVideos();
  // What tests before have hidden.
  await deletion.finish();
  const video = await insertVideo({ database, media }, accountId);
  const broken = createVideoDeletion({
    ...{ database, clock },
    media: {
      remove: async () => {
        throw new Error('the store is away');
      },
    },
  });
  await expect(broken.removeVideo(accountId, video.videoId)).rejects.toThrow('away');
  await expect(videos.read(accountId, video.videoId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await createVideoFiles({ database, files: media.files }).hold(accountId, video.videoId)).toBeNull();
  expect(await deletion.finish(60_000)).toBe(0);
  expect(await deletion.finish()).toBe(1);
  expect(await filesLeft()).not.toContain(video.fileId);
});

test('videos go when their time is over', async () => {
  const { accountId, deletion, database, media, videos } = openVideos();
  const old = await insertVideo({ database, media }, accountId, { expiresAt: nowMs - 1 });
  const young = await insertVideo({ database, media }, accountId, { expiresAt: nowMs + 1 });
  await deletion.hideExpired(database);
  await deletion.finish();
  await expect(videos.read(accountId, old.videoId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await filesLeft()).not.toContain(old.thumbnailId);
  expect(await videos.read(accountId, young.videoId)).toMatchObject({ id: young.videoId });
});

test('the file of a video is there for who works on it, and of no other account', async () => {
  const { accountId, database, media } = openVideos();
  const { videoId } = await insertVideo({ database, media }, accountId, { content: 'a film' });
  const files = createVideoFiles({ database, files: media.files });
  const read = (account: number, id: number) => withVideoFile(files, account, id, async (path) => path);
  expect(await read(accountId, videoId)).toMatch(/^\//);
  expect([await read(accountId + 1, videoId), await read(accountId, 9)]).toEqual([null, null]);
});

test('a person has the present name in a timeline; of one who was deleted neither name nor image is left', async () => {
  const { accountId, database, media, people, store } = openVideos();
  const perception = await createPerceptions({ database, clock, embedder: 'test' }).create(accountId, {
    name: 'staff',
  });
  const { id: personId } = await people.create(accountId, perception.id, { name: 'Ada' });
  const { videoId, thumbnailId } = await insertVideo({ database, media }, accountId, { personId });
  const readAll = async () => {
    const timeline = await store.readTimeline(accountId, videoId);
    const tracks = [];
    for await (const track of timeline.tracks) tracks.push(track);
    return { people: timeline.people, tracks };
  };
  await people.change(accountId, personId, { name: 'Ada Lovelace' });
  const person = { id: personId, name: 'Ada Lovelace' };
  expect(await readAll()).toMatchObject({
    people: [{ person }],
    tracks: [{ person: { ...person, score: 0.8 }, thumbnailId }],
  });
  const shown = await store.readThumbnail(accountId, videoId, thumbnailId);
  shown.stream.destroy();
  await database.write([
    database.query.deleteFrom('person').where('account_id', '=', accountId).where('id', '=', personId),
  ]);
  expect(await readAll()).toMatchObject({ people: [], tracks: [{ person: null, thumbnailId: null }] });
  await expect(store.readThumbnail(accountId, videoId, thumbnailId)).rejects.toMatchObject({
    code: 'not_found',
  });
  await forgetPeopleInVideos(database, media);
  expect(await filesLeft()).not.toContain(thumbnailId);
});
