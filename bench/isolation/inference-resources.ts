import type { LynceusClient } from '@lynceus/client';
import { colourOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { drawLook } from '../crash/face-operations.js';
import { drawNoise, drawPlain, toBlob } from './draw-noise.js';
import type { Resource } from './resources.js';

export const inferenceResources: readonly Resource[] = [
  {
    name: 'built-in inference processes, one task',
    ...{ atOnce: 32, ownAtOnce: 4 },
    async prepare({ client }) {
      const image = toBlob(await drawNoise(640));
      const detect = (signal: AbortSignal) => client.detect(image, { modelId: 'coco-accurate', signal });
      return { ordinary: detect, endless: detect };
    },
  },
  {
    name: 'built-in inference processes, an image that both share',
    ...{ atOnce: 32, ownAtOnce: 4 },
    async prepare({ client }) {
      const image = toBlob(await drawNoise(640));
      const recognise = (signal: AbortSignal) => client.recognise(image, { signal });
      return { ordinary: recognise, endless: recognise };
    },
  },
  {
    name: 'decoders',
    ...{ atOnce: 8, ownAtOnce: 2 },
    async prepare({ client }) {
      const [image, large] = [toBlob(await drawNoise(640)), toBlob(await drawNoise(4000, true))];
      const classify = (sent: Blob, signal: AbortSignal) =>
        client.recognise(sent, { parts: ['classes'], signal });
      return {
        ordinary: (signal) => classify(image, signal),
        endless: (signal) => classify(large, signal),
      };
    },
  },
  {
    name: 'processes of custom models',
    ...{ atOnce: 32, ownAtOnce: 4 },
    async prepare({ client }) {
      const { model_id: modelId } = await client.models.create({ name: 'own', task: 'classification' });
      await uploadColours(client, modelId);
      // A few kilobytes that take long to decode: where the client or the serving thread took longer than the process, requests of
      // both accounts would wait there in the order of arrival.
      const image = toBlob(await drawPlain(3000));
      const predict = (signal: AbortSignal) => client.detect(image, { modelId, confThresh: 0, signal });
      return { ordinary: predict, endless: predict };
    },
  },
  {
    name: 'trials of uploaded models',
    isSlow: true,
    // An account uploads one model at a time.
    ...{ atOnce: 8, ownAtOnce: 1 },
    async prepare({ client }) {
      const { model_id: modelId } = await client.models.create({ name: 'tried', task: 'classification' });
      const upload = () => uploadColours(client, modelId);
      return { ordinary: upload, endless: upload };
    },
  },
  {
    name: 'search of faces',
    ...{ atOnce: 32, ownAtOnce: 4 },
    async prepare({ client }) {
      const { model_id: modelId } = await client.perceptions.create({ name: 'drawn' });
      let image = toBlob(await drawLook());
      // In one drawing in hundreds no face is found.
      while ((await client.faceImages.addByKeyId(image, { modelId, keyId: 'one' })).outcome !== 'added') {
        image = toBlob(await drawLook());
      }
      const search = (signal: AbortSignal) => client.faces.search(image, { modelId, signal });
      return { ordinary: search, endless: search };
    },
  },
];

async function uploadColours(client: LynceusClient, modelId: number): Promise<unknown> {
  const net = { name: 'net.onnx', content: toBlob(colourOnnx()) };
  return client.modelVersions.upload(modelId, [net], { options: { labels: ['red', 'green', 'blue'] } });
}
