import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type Video } from '@lynceus/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startWithoutModels } from '#bench/service.js';
import { renderFilm } from '#server/streams/videos/fixtures/render-film.js';
import { haveDefaultModels } from './support/default-models.js';
import { haveProgram } from './support/have-program.js';
import { samplePath } from './support/sample.js';

const isPossible = haveProgram('ffmpeg', ['-version'], 'ffmpeg') && (await haveDefaultModels());
const firstKey = 'video_crash_0123456789012345678901234567890';

describe.skipIf(!isPossible)('work on a film whose service is killed', () => {
  let dir: string;
  let service: Service;
  const start = async () => {
    service = await startWithoutModels({
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FIRST_KEY: firstKey,
      LYNCEUS_INFERENCE_PROCESSES: '1',
    });
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-video-crash-'));
    await start();
  });
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const videos = () => createLynceusClient({ baseUrl: service.url, apiKey: firstKey }).videos;
  const until = async (id: number, isSo: (video: Video) => boolean) => {
    for (;;) {
      const video = await videos().read(id);
      if (isSo(video)) return video;
      await sleep(40);
    }
  };
  /** Of ffmpeg and what started it, for files of this folder. */
  const decoders = async () => {
    const lines = await Promise.all(
      (await readdir('/proc')).map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
    );
    return lines.filter((line) => line.includes('ffmpeg') && line.includes(dir));
  };

  test('begins again at the next start, and comes to the same end; no decoder outlives the service', async () => {
    const path = join(dir, 'film.mp4');
    const crop = { left: 305, top: 55, width: 190, height: 190 };
    const sign = { path: samplePath, crop, heightPx: 150, fromSeconds: 1, toSeconds: 4 };
    const images = [{ ...sign, from: [40, 20], to: [300, 60] }] as const;
    await renderFilm(path, { width: 640, height: 480, seconds: 7, fps: 15, images });
    const film = new File([await readFile(path)], 'film.mp4');
    const settings = { fps: 5, parts: ['objects', 'texts'] } as const;
    const { id } = await videos().upload(film, { settings });
    const half = await until(id, ({ job }) => (job?.progress.done ?? 0) >= 2);
    expect(half.state).toBe('running');
    expect((await decoders()).length).toBeGreaterThan(0);

    process.kill(service.pid, 'SIGKILL');
    await service.stop();
    while ((await decoders()).length > 0) await sleep(50);

    await start();
    const done = await until(id, ({ state }) => state !== 'waiting' && state !== 'running');
    expect([done.state, done.job?.error]).toEqual(['done', null]);
    const { classes, tracks } = await videos().readTimeline(id);
    const seen = classes.find(({ label }) => label === 'stop sign')?.intervals ?? [];
    expect(seen).toHaveLength(1);
    expect(Math.abs((seen[0]?.start_seconds ?? 0) - 1)).toBeLessThan(0.4);
    expect(Math.abs((seen[0]?.end_seconds ?? 0) - 4)).toBeLessThan(0.4);
    const shown = tracks.flatMap(({ thumbnail }) => thumbnail ?? []);
    expect(shown.length).toBeGreaterThan(0);
    for (const thumbnail of shown)
      expect((await videos().readThumbnail(id, thumbnail)).size).toBeGreaterThan(0);
  }, 300_000);

  test('of a second analysis leaves the timeline of the first, and begins again at the next start', async () => {
    const [video] = (await videos().page({ limit: 1 })).data;
    const id = video?.id ?? 0;
    const before = await videos().readTimeline(id);
    await videos().analyse(id, { settings: { fps: 2, parts: ['objects', 'texts'] } });
    await until(id, ({ job }) => (job?.progress.done ?? 0) >= 2);
    expect(await videos().readTimeline(id)).toEqual(before);

    process.kill(service.pid, 'SIGKILL');
    await service.stop();
    await start();
    expect(await videos().readTimeline(id)).toEqual(before);
    const thumbnail = before.tracks.find((track) => track.thumbnail !== null)?.thumbnail ?? '';
    const begun = await videos().read(id);
    expect([begun.has_timeline, ['waiting', 'running'].includes(begun.state)]).toEqual([true, true]);
    expect((await videos().readThumbnail(id, thumbnail)).size).toBeGreaterThan(0);
    const done = await until(id, ({ state }) => state !== 'waiting' && state !== 'running');
    expect([done.state, done.settings.fps]).toEqual(['done', 2]);
    const after = await videos().readTimeline(id);
    expect(after.classes.map(({ label }) => label)).toContain('stop sign');
    expect(after.tracks.map((track) => track.thumbnail)).not.toContain(thumbnail);
    await expect(videos().readThumbnail(id, thumbnail)).rejects.toMatchObject({ code: 'not_found' });
  }, 300_000);

  test('ends when the video is deleted amid it', async () => {
    const film = new File([await readFile(join(dir, 'film.mp4'))], 'film.mp4');
    const { id } = await videos().upload(film, { settings: { fps: 5, parts: ['objects', 'texts'] } });
    await until(id, ({ job }) => (job?.progress.done ?? 0) >= 1);
    await videos().remove(id);
    await expect(videos().read(id)).rejects.toMatchObject({ code: 'not_found' });
    while ((await decoders()).length > 0) await sleep(50);
  }, 300_000);
});
