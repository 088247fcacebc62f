import { buffer } from 'node:stream/consumers';
import type { LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { colourOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { concurrently } from '../concurrently.js';
import { hashOf } from '../crash/custom/draw-image.js';
import { drawLook } from '../crash/face-operations.js';

/** How much an installation has of each. */
export interface Amounts {
  /** Of a dataset. */
  readonly images: number;
  /** With one image of a face each. */
  readonly people: number;
  /** Of a model. */
  readonly versions: number;
}

/** Of what an installation was filled with. */
export interface Filled {
  readonly datasetId: number;
  readonly perceptionId: number;
  readonly modelId: number;
  readonly versions: number;
}

const batchSize = 40;

/** Fills an installation, once or repeatedly, with images of a dataset, people with faces, and versions of a model. */
export async function fill(client: LynceusClient, { images, people, versions }: Amounts): Promise<Filled> {
  const serial = performance.now();
  const { id: datasetId } = await client.datasets.create({
    name: `drawings ${serial}`,
    task: 'classification',
  });
  for (let at = 0; at < images; at += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, images - at) }, async (_, index) => ({
      content: new Blob([new Uint8Array(await draw(at + index))]),
      name: `${at + index}.png`,
    }));
    await client.datasetImages.add(datasetId, await Promise.all(batch));
  }
  const { model_id: perceptionId } = await client.perceptions.create({ name: `drawn ${serial}` });
  let enrolled = 0;
  while (enrolled < people) {
    // In one drawing in hundreds no face is found.
    const image = new Blob([new Uint8Array(await drawLook())]);
    const options = { modelId: perceptionId, keyId: `person ${enrolled}` };
    if ((await client.faceImages.addByKeyId(image, options)).outcome === 'added') enrolled += 1;
  }
  const { model_id: modelId } = await client.models.create({
    name: `colours ${serial}`,
    task: 'classification',
  });
  for (let number = 1; number <= versions; number += 1) {
    const net = { name: 'net.onnx', content: new Blob([new Uint8Array(colourOnnx())]) };
    const labels = ['red', 'green', `blue ${number}`];
    await client.modelVersions.upload(modelId, [net], { options: { labels } });
  }
  return { datasetId, perceptionId, modelId, versions };
}

/** SHA-256 of all files as clients get them, and a prediction, in an order that stays. */
export async function digestAll(
  client: LynceusClient,
  { datasetId, perceptionId, modelId, versions }: Filled,
): Promise<readonly string[]> {
  const read: (() => Promise<Buffer>)[] = [];
  for await (const { id } of client.datasetImages.list(datasetId)) {
    read.push(async () => bytesOf(await client.datasetImages.readContent(datasetId, id)));
  }
  for await (const { id } of client.faceImages.list({ modelId: perceptionId })) {
    read.push(async () => bytesOf(await client.faceImages.readContent(id)));
  }
  for (let number = 1; number <= versions; number += 1) {
    read.push(async () => buffer(await client.modelVersions.download(modelId, number)));
  }
  const digests = await concurrently(read, 8, async (readOne) => hashOf(await readOne()));
  const found = await client.detect(await draw(0), { modelId, confThresh: 0 });
  return [...digests, JSON.stringify(found.predictions)];
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}

/** A unique drawing for each number below 16,777,216. */
function draw(number: number): Promise<Buffer> {
  const background = { r: number & 255, g: (number >> 8) & 255, b: (number >> 16) & 255 };
  return sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}
