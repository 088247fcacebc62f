import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LynceusClient } from '@lynceus/client';
import { Client } from 'basic-ftp';
import sharp from 'sharp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { renderFilm } from '#server/streams/videos/fixtures/render-film.js';
import { endlessZip } from '#server/training/datasets/fixtures/endless-zip.js';
import { heavyOnnx } from './heavy-net.js';

export interface Stage {
  readonly client: LynceusClient;
  /** A folder for files of the test. */
  readonly dir: string;
  readonly ftpPort: number;
  /** Takes every request and answers none. */
  readonly silentServer: { readonly address: string; readonly requests: () => number };
  /** A dataset of two classes. */
  readonly datasetId: number;
}

/** For each kind of job, what begins one that takes minutes, or never ends. */
export const jobRows: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  'dataset-import': async ({ client }) => {
    const { id } = await client.datasets.create({ name: 'endless', task: 'classification' });
    return client.datasets.import(id, toBlob(endlessZip()));
  },

  'train-model': async ({ client, datasetId }) => {
    const { model_id: modelId } = await client.models.create({ name: 'trained', task: 'classification' });
    return client.modelRuns.start(modelId, { datasetId });
  },

  'compare-versions': async ({ client, datasetId }) => {
    const { model_id: modelId } = await client.models.create({ name: 'compared', task: 'classification' });
    const input = { fit: 'squash', mean: [0], std: [255] } as const;
    for (const scores of [[0.2, 0.8] as const, [0.6, 0.4] as const]) {
      const net = { name: 'net.onnx', content: toBlob(heavyOnnx(scores)) };
      await client.modelVersions.upload(modelId, [net], { options: { labels: ['white', 'black'], input } });
    }
    return client.modelRuns.compare(modelId, { versions: [1, 2], datasetId });
  },

  're-embed-perception': async ({ client }) => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'drawn' });
    const images = Array.from({ length: 8 }, (_, index) =>
      drawFaces(320, 240, [{ x: 150 + index, y: 120, unit: 5, tiltDeg: index - 3 }]),
    );
    for (const image of await Promise.all(images))
      await client.faceImages.addByKeyId(image, { modelId, keyId: 'one' });
    return client.embedders.change(modelId, { chain: 'permissive' });
  },

  'drop-file': async ({ client, ftpPort, silentServer }) => {
    const { ftp, key } = await client.drops.create({
      name: 'desk',
      settings: { other_files: 'deliver' },
      destination: { kind: 'http', address: `${silentServer.address}/in`, path: '{name}' },
    });
    const user = new Client();
    const secureOptions = { rejectUnauthorized: false };
    const access = { user: ftp.user_name, password: key, secure: true, secureOptions };
    await user.access({ host: '127.0.0.1', port: ftpPort, ...access });
    await user.uploadFrom(Readable.from('not an image'), 'letter.txt');
    user.close();
    // The delivery is under way.
    while (silentServer.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  },

  video: async ({ client, dir }) => {
    const path = join(dir, 'film.mp4');
    await renderFilm(path, { width: 320, height: 240, seconds: 120, images: [] });
    return client.videos.upload(new File([await readFile(path)], 'film.mp4'), { settings: { fps: 5 } });
  },
};

/** A dataset of two classes of noise, half of it held out: images of one colour would all be on one side of the split. */
export async function createDataset(client: LynceusClient): Promise<number> {
  const { id } = await client.datasets.create({ name: 'noise', task: 'classification' });
  for (const [label, mean] of [
    ['white', 250],
    ['black', 30],
  ] as const) {
    const drawings = Array.from({ length: 8 }, async (_, index) => {
      const noise = { type: 'gaussian', mean, sigma: 20 } as const;
      const create = { width: 60 + index, height: 50, channels: 3, background: label, noise } as const;
      return { name: `${label}-${index}.png`, content: toBlob(await sharp({ create }).png().toBuffer()) };
    });
    await client.datasetImages.add(id, await Promise.all(drawings), { label });
  }
  await client.datasets.split(id, { heldOut: 0.5 });
  return id;
}

export async function startSilentServer() {
  let requests = 0;
  const server: Server = createServer(() => {
    requests += 1;
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function toBlob(bytes: Buffer): Blob {
  return new Blob([new Uint8Array(bytes)]);
}
