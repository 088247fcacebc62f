import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import sharp from 'sharp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { colours, paint } from '#server/start/fixtures/model-service.js';
import { colourOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { sample } from '../support/sample.js';
import { formWith } from './api-call.js';
import type { KnownFolder } from './known-folder.js';
import type { OldService } from './old-service.js';

/** What earlier versions called things on the wire. */
interface Words {
  readonly images: 'images' | 'pictures';
  readonly options: 'options' | 'told';
}

/** Faces as different as drawings can be; `index` chooses one. */
export async function drawnPerson(index: number): Promise<Buffer> {
  const face = { x: 96 + index * 4, y: 96, unit: 4 + index * 0.3, tiltDeg: index * 9 - 9 };
  const drawn = sharp(await drawFaces(200, 200, [face]));
  return drawn
    .modulate({ hue: index * 15 - 15, saturation: 0.7 + index * 0.3, brightness: 1 })
    .jpeg({ quality: 80 })
    .toBuffer();
}

export const red = () => paint(220, 20, 20);
const people = ['ada', 'ben', 'cleo'];

/** Has a service make one of each kind of thing; answers what a later version has to find. */
export async function fillFolder(
  service: OldService,
  words: Words,
): Promise<Omit<KnownFolder, 'commit' | 'key' | 'migrations'>> {
  const { call } = service;
  const small = await sharp(sample).resize(320).jpeg({ quality: 80 }).toBuffer();
  const { fileid } = await call<{ fileid: string }>('POST', '/predict/image', formWith('image', small));
  return {
    fileid,
    perception: await makePerception(service),
    dataset: await makeDataset(service, words),
    model: await makeModel(service, words),
    drop: await makeDrop(service, small),
  };
}

async function makePerception({ call }: OldService): Promise<KnownFolder['perception']> {
  const { model_id: id } = await call<{ model_id: number }>('POST', '/api/perceptions', { name: 'Staff' });
  const added: { keyId: string; imageId: number }[] = [];
  for (const [index, keyId] of people.entries()) {
    const image = formWith('image', await drawnPerson(index));
    const answer = await call<{ image: { id: number } | null }>(
      ...(['POST', `/api/perceptions/${id}/images?key_id=${keyId}`, image] as const),
    );
    if (answer.image === null) throw new Error(`The drawing of ${keyId} was not added.`);
    added.push({ keyId, imageId: answer.image.id });
  }
  return { id, people: added };
}

async function makeDataset({ call }: OldService, { images }: Words): Promise<KnownFolder['dataset']> {
  const { id } = await call<{ id: number }>('POST', '/api/datasets', {
    ...{ name: 'Colours', task: 'classification' },
  });
  for (const name of ['red', 'green']) await call('POST', `/api/datasets/${id}/classes`, { name });
  const shades = [20, 60, 100];
  for (const shade of shades) {
    const [reddish, greenish] = [await png(200, shade, 20), await png(20, 200, shade)];
    await call('POST', `/api/datasets/${id}/${images}?label=red`, formWith('image', reddish));
    await call('POST', `/api/datasets/${id}/${images}?label=green`, formWith('image', greenish));
  }
  return { id, images: 2 * shades.length };
}

function png(r: number, g: number, b: number): Promise<Buffer> {
  return sharp({ create: { width: 100, height: 50, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}

async function makeModel({ call }: OldService, { options }: Words): Promise<KnownFolder['model']> {
  const { model_id: id } = await call<{ model_id: number }>('POST', '/api/models', {
    ...{ name: 'Colour', task: 'classification' },
  });
  const form = formWith('file', colourOnnx(), { [options]: JSON.stringify(colours) });
  await call('POST', `/api/models/${id}/versions`, form);
  return { id };
}

interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
}

async function makeDrop(service: OldService, image: Buffer): Promise<KnownFolder['drop']> {
  const { call } = service;
  const drop = await call<{ id: number; key: string; ftp: { user_name: string } }>('POST', '/api/drops', {
    ...{ name: 'Desk', destination: null },
  });
  const send = async (name: string, isSettled: (file: ShownFile) => boolean) => {
    const client = new Client(10_000);
    const login = { user: drop.ftp.user_name, password: drop.key };
    await client.access({ host: '127.0.0.1', port: service.ftpPort, ...login });
    await client.uploadFrom(Readable.from([image]), name);
    client.close();
    for (;;) {
      const { data } = await call<{ data: readonly ShownFile[] }>('GET', `/api/drops/${drop.id}/files`);
      const found = data.find((file) => file.name === name);
      if (found && isSettled(found)) return found.id;
      if (found?.state === 'failed') throw new Error(`The file ${name} failed: ${found.error}`);
      await sleep(200);
    }
  };
  const keptFile = await send('kept.jpg', ({ state }) => state === 'done');
  // A name that cannot exist (RFC 2606): deliveries wait.
  const host = { kind: 'sftp', host: 'nowhere.invalid', user: 'desk', path: '{name}' };
  await call('PATCH', `/api/drops/${drop.id}`, {
    destination: { ...host, secrets: { password: 'sealed by the key of the folder' } },
  });
  const waitingFile = await send('waiting.jpg', ({ error }) => error !== null);
  return { id: drop.id, keptFile, waitingFile };
}
