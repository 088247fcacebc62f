import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '@lynceus/client';
import sharp from 'sharp';
import { makeVideo } from '#server/streams/fixtures/videos.js';
import { zipOf } from '#server/training/datasets/fixtures/zips.js';
import { drawNoise, toBlob } from './draw-noise.js';
import type { Tenant } from './tenant.js';

/** Work of minutes that accounts share the slots of. */
export interface WorkResource {
  readonly name: string;
  /** What asks for a piece of work; another one each time, since some is done once at a time for one subject. */
  prepare(tenant: Tenant): Promise<() => Promise<Job>>;
}

const imagesOfClass = 6;

export const workResources: readonly WorkResource[] = [
  {
    name: 'imports of datasets',
    async prepare({ client }) {
      const zip = toBlob(
        await zipOf({ 'red/1.jpg': await drawNoise(200), 'blue/1.jpg': await drawNoise(201) }),
      );
      return async () => {
        const { id } = await client.datasets.create({ name: 'imported', task: 'classification' });
        return client.datasets.import(id, zip);
      };
    },
  },
  {
    name: 'trainings',
    async prepare({ client }) {
      const { id: datasetId } = await client.datasets.create({ name: 'trained', task: 'classification' });
      for (const [label, hue] of [
        ['red', 0],
        ['green', 120],
      ] as const) {
        const images = Array.from({ length: imagesOfClass }, async (_, index) => ({
          name: `${label}-${index}.png`,
          content: toBlob(await drawPlain(`hsl(${hue + 5 * index}, 60%, 50%)`)),
        }));
        await client.datasetImages.add(datasetId, await Promise.all(images), { label });
      }
      return async () => {
        const { model_id: modelId } = await client.models.create({ name: 'trained', task: 'classification' });
        return client.modelRuns.start(modelId, { datasetId });
      };
    },
  },
  {
    name: 'ffmpeg: videos',
    async prepare({ client }) {
      const dir = await mkdtemp(join(tmpdir(), 'lynceus-isolation-'));
      const film = await readFile(await makeVideo(dir, 'film.mp4', { seconds: 5 }));
      await rm(dir, { recursive: true });
      return async () => {
        const file = new File([new Uint8Array(film)], 'film.mp4');
        const { job } = await client.videos.upload(file, { settings: { fps: 1, parts: ['classes'] } });
        if (job === null) throw new Error('a video that was added has no job');
        return job;
      };
    },
  },
];

async function drawPlain(background: string): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
}
