import type { LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { colourOnnx } from '#server/models/fixtures/tiny-onnx.js';
import { drawLook } from '../crash/face-operations.js';

/** What an account has of its own, for the requests of a resource. */
export interface Prepared {
  /** An ordinary request. */
  ordinary(signal: AbortSignal): Promise<unknown>;
  /** What the account that asks without end asks for, over and over. */
  endless(signal: AbortSignal): Promise<unknown>;
}

/** Something that accounts share. */
export interface Resource {
  readonly name: string;
  /** How many ordinary requests are measured. */
  readonly times: number;
  /** Requests that the other account has under way at any time. */
  readonly atOnce: number;
  prepare(client: LynceusClient): Promise<Prepared>;
}

/** A drawing of ours, with noise, so that decoding it takes its time. */
async function drawNoise(sidePx: number, isProgressive: boolean): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const create = { width: sidePx, height: sidePx, channels: 3, background: 'teal', noise } as const;
  const bytes = await sharp({ create }).jpeg({ progressive: isProgressive, quality: 60 }).toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

/** @param times for ordinary requests of less than a few seconds */
export function resources(times: number): readonly Resource[] {
  return [
    {
      name: 'built-in inference processes, one task',
      ...{ times, atOnce: 32 },
      async prepare(client) {
        const image = await drawNoise(640, false);
        const detect = (signal: AbortSignal) => client.detect(image, { modelId: 'coco-accurate', signal });
        return { ordinary: detect, endless: detect };
      },
    },
    {
      name: 'built-in inference processes, an image that both share',
      ...{ times, atOnce: 32 },
      async prepare(client) {
        const image = await drawNoise(640, false);
        const recognise = (signal: AbortSignal) => client.recognise(image, { signal });
        return { ordinary: recognise, endless: recognise };
      },
    },
    {
      name: 'decoders',
      ...{ times, atOnce: 8 },
      async prepare(client) {
        const [image, large] = [await drawNoise(640, false), await drawNoise(4000, true)];
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
      ...{ times, atOnce: 32 },
      async prepare(client) {
        const { model_id: modelId } = await client.models.create({ name: 'own', task: 'classification' });
        await uploadColours(client, modelId);
        const image = await drawNoise(640, false);
        const predict = (signal: AbortSignal) => client.detect(image, { modelId, confThresh: 0, signal });
        return { ordinary: predict, endless: predict };
      },
    },
    {
      name: 'trials of uploaded models',
      ...{ times: Math.min(times, 5), atOnce: 8 },
      async prepare(client) {
        const { model_id: modelId } = await client.models.create({ name: 'tried', task: 'classification' });
        const upload = () => uploadColours(client, modelId);
        return { ordinary: upload, endless: upload };
      },
    },
    {
      name: 'search of faces',
      ...{ times, atOnce: 32 },
      async prepare(client) {
        const { model_id: modelId } = await client.perceptions.create({ name: 'drawn' });
        let image = new Blob([new Uint8Array(await drawLook())]);
        // In one drawing in hundreds no face is found.
        while ((await client.faceImages.addByKeyId(image, { modelId, keyId: 'one' })).outcome !== 'added') {
          image = new Blob([new Uint8Array(await drawLook())]);
        }
        const search = (signal: AbortSignal) => client.faces.search(image, { modelId, signal });
        return { ordinary: search, endless: search };
      },
    },
  ];
}

async function uploadColours(client: LynceusClient, modelId: number): Promise<unknown> {
  const net = { name: 'net.onnx', content: new Blob([new Uint8Array(colourOnnx())]) };
  return client.modelVersions.upload(modelId, [net], { options: { labels: ['red', 'green', 'blue'] } });
}
