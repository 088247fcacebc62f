import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client as FtpClient } from 'basic-ftp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { type Answer, type Ask, createAsk, formOf, until } from '../ask.js';
import type { Service } from '../service.js';
import { drawShape, placeShape, shapes } from './draw-shape.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Katherine Johnson',
  'Alan Turing',
  'Emmy Noether',
  'Mary Somerville',
];

/** An account with every kind of record, from drawn images. */
export async function fillAccount(service: Service, ftpPort: number, deliverTo: string): Promise<void> {
  const ask = createAsk(service);
  await fillUsage(ask);
  await fillFaces(ask);
  await fillModels(ask);
  await fillBoxes(ask);
  await fillDrop(ask, ftpPort, deliverTo);
}

async function fillUsage(ask: Ask): Promise<void> {
  for (const name of ['Till', 'Archive', 'Photo desk']) await ask('POST', '/api/keys', { name });
  const sample = await readFile(samplePath);
  for (const path of ['/predict/image', '/predict/object_detection/', '/predict/image?parts=texts'])
    await ask('POST', path, formOf('image', [sample]));
}

async function fillFaces(ask: Ask): Promise<void> {
  const { model_id: perception } = await ask('POST', '/api/perceptions', { name: 'Staff' });
  for (const [index, name] of people.entries()) {
    const query = `command=insert_person_image_key_id&model_id=${perception}&key_id=${encodeURIComponent(name)}`;
    for (const tiltDeg of [6 * index - 15, 6 * index - 10]) {
      const face = await drawFaces(240, 240, [{ x: 120, y: 120, unit: 5 + index / 8, tiltDeg }]);
      await ask('POST', `/predict/face?${query}`, formOf('image', [face]));
    }
  }
}

async function fillModels(ask: Ask): Promise<void> {
  const { id } = await ask('POST', '/api/datasets', { name: 'Shapes', task: 'classification' });
  for (const shape of shapes) {
    const images = await Promise.all(Array.from({ length: 8 }, (_, count) => drawShape(shape, count)));
    await ask('POST', `/api/datasets/${id}/images?label=${shape}`, formOf('file', images));
  }
  const { model_id: model } = await ask('POST', '/api/models', { name: 'Shapes', task: 'classification' });
  const run = await ask('POST', `/api/models/${model}/runs`, { dataset_id: id });
  await until(async () => {
    const { state, error } = await ask('GET', `/api/jobs/${run['id']}`);
    if (state === 'failed') throw new Error(`the training failed: ${JSON.stringify(error)}`);
    return state === 'done';
  });
}

/** Images with boxes, the newest one not labelled yet. */
async function fillBoxes(ask: Ask): Promise<void> {
  const { id } = await ask('POST', '/api/datasets', { name: 'Shapes to find', task: 'object_detection' });
  const classes = await Promise.all(
    shapes.map(async (name) => (await ask('POST', `/api/datasets/${id}/classes`, { name }))['id']),
  );
  for (let count = 0; count < 6; count += 1) {
    const shapeIndex = count % shapes.length;
    const bytes = await drawShape(shapes[shapeIndex] ?? 'circle', count);
    const { data } = await ask('POST', `/api/datasets/${id}/images`, formOf('file', [bytes]));
    const [added] = data as readonly Answer[];
    const { x, y, size } = placeShape(count);
    const box = { x_min: x - size, y_min: y - size, x_max: x + size, y_max: y + size };
    if (count < 5) {
      const labels = [{ class_id: classes[shapeIndex], box }];
      await ask('PUT', `/api/datasets/${id}/images/${added?.['image_id']}/labels`, { labels });
    }
  }
}

async function fillDrop(ask: Ask, port: number, deliverTo: string): Promise<void> {
  const drop = await ask('POST', '/api/drops', {
    name: 'Sports desk',
    user_name: 'sports-desk',
    destination: { kind: 'folder', folder: deliverTo, path: '{year}/{month}/{name}' },
  });
  const client = new FtpClient();
  try {
    await client.access({ host: '127.0.0.1', port, user: 'sports-desk', password: String(drop['key']) });
    for (const name of ['IMG_0412.jpg', 'IMG_0413.jpg', 'IMG_0414.jpg']) {
      await client.uploadFrom(samplePath, `/incoming/${name}`);
    }
  } finally {
    client.close();
  }
  await until(async () => {
    const { data } = await ask('GET', `/api/drops/${drop['id']}/files?state=done`);
    return Array.isArray(data) && data.length === 3;
  });
}
