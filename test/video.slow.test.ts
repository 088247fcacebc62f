import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient, type TimelineInterval, type Video } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { type PlantedImage, renderFilm } from '#server/streams/videos/fixtures/render-film.js';
import { haveDefaultModels } from './support/default-models.js';
import { haveProgram } from './support/have-program.js';
import { lettering } from './support/lettering.js';
import { samplePath } from './support/sample.js';

const isPossible = haveProgram('ffmpeg', ['-version'], 'ffmpeg') && (await haveDefaultModels());

describe.skipIf(!isPossible)('a film', () => {
  let dir: string;
  let service: Service;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-film-'));
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '2' });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const client = () => createLynceusClient({ baseUrl: service.url, apiKey: service.key });
  const untilDone = async (id: number): Promise<Video> => {
    for (;;) {
      const video = await client().videos.read(id);
      if (video.state === 'done') return video;
      expect(['waiting', 'running', video.job?.error]).toContain(video.state);
      await sleep(100);
    }
  };

  test('tells what is seen when, to the frame, and shows it', async () => {
    const text = join(dir, 'text.jpg');
    await writeFile(text, await lettering([{ text: 'Platform 12', left: 90, top: 70 }]));
    const sign = {
      path: samplePath,
      crop: { left: 305, top: 55, width: 190, height: 190 },
      heightPx: 150,
    };
    const images: readonly PlantedImage[] = [
      { ...sign, fromSeconds: 1, toSeconds: 4, from: [40, 20], to: [300, 60] },
      { ...sign, fromSeconds: 8, toSeconds: 9.5, from: [400, 30] },
      {
        path: text,
        crop: { left: 60, top: 50, width: 320, height: 90 },
        ...{ heightPx: 90, fromSeconds: 2, toSeconds: 6, from: [150, 330] },
      },
    ];
    const film = join(dir, 'film.mp4');
    await renderFilm(film, { width: 640, height: 480, seconds: 10, images });
    const { videos } = client();
    const made = await videos.upload(new File([await readFile(film)], 'film.mp4'), {
      settings: { fps: 2, parts: ['objects', 'texts'] },
    });
    expect(made.settings.names_people).toBe(false);
    const video = await untilDone(made.id);
    expect(video.info).toMatchObject({ duration_seconds: 10, width: 640, height: 480, codec: 'h264' });

    const timeline = await videos.readTimeline(made.id);
    const sees = (
      intervals: readonly TimelineInterval[] = [],
      ...times: readonly (readonly [number, number])[]
    ) => {
      expect(intervals).toHaveLength(times.length);
      for (const [index, [start, end]] of times.entries()) {
        const { start_seconds: from = -9, end_seconds: to = -9 } = intervals[index] ?? {};
        expect([Math.abs(from - start) <= 0.6, Math.abs(to - end) <= 0.6, from, to]).toEqual([
          ...[true, true, from, to],
        ]);
      }
    };
    const signs = timeline.classes.find(({ label }) => label === 'stop sign');
    sees(signs?.intervals, [1, 4], [8, 9.5]);
    const read = timeline.texts.find(({ text: words }) => /platform ?12/i.test(words));
    sees(read?.intervals, [2.5, 5.5]);
    const tracks = timeline.tracks.filter(({ label }) => label === 'stop sign');
    expect(tracks).toHaveLength(2);

    const thumbnail = await videos.readThumbnail(made.id, tracks[0]?.thumbnail ?? '');
    const { channels } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    expect([red > green + 20, red > blue + 10]).toEqual([true, true]);
  });
});
