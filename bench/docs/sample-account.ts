import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client as FtpClient } from 'basic-ftp';
import sharp from 'sharp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import type { Service } from '../service.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Katherine Johnson',
  'Alan Turing',
  'Emmy Noether',
  'Mary Somerville',
];
const shapes = ['circle', 'square', 'triangle'] as const;

/** An account with something of everything, all of it drawn by us. */
export async function fillAccount(service: Service, ftpPort: number, deliverTo: string): Promise<void> {
  const ask = createAsk(service);
  await fillUsage(ask);
  await fillFaces(ask);
  await fillModels(ask);
  await fillBoxes(ask);
  await fillDrop(ask, ftpPort, deliverTo);
}

type Ask = ReturnType<typeof createAsk>;
type Answer = Readonly<Record<string, unknown>>;

function createAsk({ url, key }: Service) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const said: Answer = JSON.parse((await answer.text()) || '{}');
    return said;
  };
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
    const pictures = await Promise.all(Array.from({ length: 8 }, (_, count) => drawShape(shape, count)));
    await ask('POST', `/api/datasets/${id}/pictures?label=${shape}`, formOf('file', pictures));
  }
  const { model_id: model } = await ask('POST', '/api/models', { name: 'Shapes', task: 'classification' });
  const run = await ask('POST', `/api/models/${model}/runs`, { dataset_id: id });
  await until(async () => {
    const { state, error } = await ask('GET', `/api/jobs/${run['id']}`);
    if (state === 'failed') throw new Error(`the training failed: ${JSON.stringify(error)}`);
    return state === 'done';
  });
}

/** Pictures with boxes, the newest one not labelled yet. */
async function fillBoxes(ask: Ask): Promise<void> {
  const { id } = await ask('POST', '/api/datasets', { name: 'Shapes to find', task: 'object_detection' });
  const classes = await Promise.all(
    shapes.map(async (name) => (await ask('POST', `/api/datasets/${id}/classes`, { name }))['id']),
  );
  for (let count = 0; count < 6; count += 1) {
    const place = count % shapes.length;
    const bytes = await drawShape(shapes[place] ?? 'circle', count);
    const { data } = await ask('POST', `/api/datasets/${id}/pictures`, formOf('file', [bytes]));
    const [added] = data as readonly Answer[];
    const { x, y, size } = placeShape(count);
    const box = { x_min: x - size, y_min: y - size, x_max: x + size, y_max: y + size };
    if (count < 5) {
      const labels = [{ class_id: classes[place], box }];
      await ask('PUT', `/api/datasets/${id}/pictures/${added?.['picture_id']}/labels`, { labels });
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

function formOf(field: string, files: readonly Buffer[]): FormData {
  const form = new FormData();
  for (const [index, bytes] of files.entries())
    form.append(field, new Blob([new Uint8Array(bytes)]), `${index + 1}.png`);
  return form;
}

const turnOf = (count: number) => (factor: number) => (count * factor + 0.1) % 1;

/** Its middle and half of its side. */
function placeShape(count: number) {
  const turn = turnOf(count);
  return { x: 190 + 100 * turn(0.61), y: 150 + 60 * turn(0.23), size: 70 + 50 * turn(0.37) };
}

/** A shape of some size and colour on a coloured ground. */
function drawShape(shape: (typeof shapes)[number], count: number): Promise<Buffer> {
  const turn = turnOf(count);
  const { x, y, size } = placeShape(count);
  const body = {
    circle: `<circle cx="${x}" cy="${y}" r="${size}"/>`,
    square: `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>`,
    triangle: `<polygon points="${x},${y - size} ${x + size},${y + size} ${x - size},${y + size}"/>`,
  }[shape];
  const colour = (shift: number, light: number) => `hsl(${Math.round(360 * turn(shift))} 55% ${light}%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="100%" height="100%" fill="${colour(0.29, 80)}"/><g fill="${colour(0.83, 40)}">${body}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isTrue()); attempt++) {
    if (attempt > 600) throw new Error('the account was not filled within five minutes');
    await sleep(500);
  }
}
