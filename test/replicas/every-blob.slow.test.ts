import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres } from '#bench/postgres/cluster.js';
import { type Replicas, sharedByReplicas, startReplicas } from '#bench/scale/replicas.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { colourOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { startShared } from './start-shared.js';

const canRun =
  (findPostgres() !== null || process.env['CI'] === 'true') &&
  haveStore('ceph') &&
  haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light') &&
  (await haveDefaultModels());
const key = 'the-first-key-of-every-blob';
const images = 24;

/** What was acknowledged: how it is read, and the SHA-256 that it has. */
interface Acknowledged {
  readonly what: string;
  readonly sha256: string;
  readonly read: (client: LynceusClient) => Promise<Uint8Array>;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (blob: Promise<Blob>) => new Uint8Array(await (await blob).arrayBuffer());

describe.skipIf(!canRun)(
  'two replicas behind nginx, on PostgreSQL and a bucket',
  { timeout: 300_000 },
  () => {
    let service: Replicas;
    let balanced: LynceusClient;
    let each: readonly LynceusClient[];
    let stopShared: () => Promise<void> = async () => undefined;
    beforeAll(async () => {
      let shared = sharedByReplicas();
      if (shared === null) ({ shared, stop: stopShared } = await startShared());
      service = await startReplicas(shared, {
        LYNCEUS_FIRST_KEY: key,
        LYNCEUS_KEEP_IMAGES: 'true',
        LYNCEUS_RECOGNITION_PARTS: 'faces',
      });
      const open = (baseUrl: string) => createLynceusClient({ baseUrl, apiKey: key });
      balanced = open(service.url);
      each = service.replicaUrls.map(open);
    }, 300_000);
    afterAll(async () => {
      await service?.stop();
      await stopShared();
    });

    /** Each with bytes of its own, some in several pieces of a request. */
    const drawing = (at: number) =>
      sharp({
        create: {
          width: 60 + 20 * at,
          height: 200,
          channels: 3,
          background: '#406080',
          noise: { type: 'gaussian', mean: 100 + at, sigma: 30 },
        },
      })
        .png()
        .toBuffer();
    const all = <T>(make: (at: number) => Promise<T>) =>
      Promise.all(Array.from({ length: images }, (_, at) => make(at)));

    const enrolFaces = async (): Promise<readonly Acknowledged[]> => {
      const { model_id: modelId } = await balanced.perceptions.create({ name: 'staff' });
      const { id: personId } = await balanced.people.create(modelId, { name: 'Ada' });
      return all(async (at) => {
        const face = await drawFaces(240 + at, 240, [{ x: 120, y: 120, unit: 5, tiltDeg: at - 12 }]);
        const { image } = await balanced.faceImages.add(face, { personId });
        if (image === null) throw new Error(`face image ${at} was not added`);
        return {
          what: `face image ${image.id}`,
          sha256: hashOf(face),
          read: (client) => bytesOf(client.faceImages.readContent(image.id)),
        };
      });
    };

    const fillDataset = async (): Promise<readonly Acknowledged[]> => {
      const { id } = await balanced.datasets.create({ name: 'drawings', task: 'classification' });
      return all(async (at) => {
        const bytes = await drawing(at);
        const content = new Blob([new Uint8Array(bytes)]);
        const { data } = await balanced.datasetImages.add(id, [{ content, name: `${at}.png` }]);
        const imageId = data[0]?.image_id;
        if (typeof imageId !== 'number') throw new Error(`dataset image ${at} was not added`);
        return {
          what: `dataset image ${imageId}`,
          sha256: hashOf(bytes),
          read: (client) => bytesOf(client.datasetImages.readContent(id, imageId)),
        };
      });
    };

    const analyse = (): Promise<readonly Acknowledged[]> =>
      all(async (at) => {
        const bytes = await drawing(images + at);
        const { fileid } = await balanced.recognise(bytes);
        return {
          what: `kept image ${fileid}`,
          sha256: hashOf(bytes),
          read: (client) => bytesOf(client.files.readContent(fileid)),
        };
      });

    const uploadModel = async (): Promise<readonly Acknowledged[]> => {
      const { model_id: modelId } = await balanced.models.create({ name: 'colours', task: 'classification' });
      const net = { name: 'net.onnx', content: new Blob([new Uint8Array(colourOnnx())]) };
      const { number } = await balanced.modelVersions.upload(modelId, [net], {
        options: { labels: ['red', 'green', 'blue'] },
      });
      const read = async (client: LynceusClient) =>
        buffer(await client.modelVersions.download(modelId, number));
      // The service makes the file that it stores: what the first answer has is what every later one must have.
      return [{ what: `version ${number} of a model`, sha256: hashOf(await read(balanced)), read }];
    };

    test('every acknowledged blob is read through both, byte for byte', async () => {
      const acknowledged = (
        await Promise.all([enrolFaces(), fillDataset(), analyse(), uploadModel()])
      ).flat();
      expect(acknowledged).toHaveLength(3 * images + 1);
      for (const [index, client] of each.entries()) {
        const read = await Promise.all(
          acknowledged.map(async (blob) => ({ ...blob, sha256: hashOf(await blob.read(client)) })),
        );
        expect([index, read.map(({ what, sha256 }) => [what, sha256])]).toEqual([
          index,
          acknowledged.map(({ what, sha256 }) => [what, sha256]),
        ]);
      }
    });
  },
);
