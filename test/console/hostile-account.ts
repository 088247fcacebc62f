import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { tinyOnnx } from '@lynceus/server/dist/training/models/fixtures/tiny-onnx.js';
import { Client } from 'basic-ftp';
import { exiftoolPath } from 'exiftool-vendored';
import type { Page } from 'playwright-core';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { lettering } from '../support/lettering.js';

/** A name that would run a script if a page used it as markup; without a slash, for file names. */
export const hostile = (what: string) => `'"><img src=x onerror=window.ran=1>${what}`;

/** Without a space, for e-mail addresses. */
export const hostileEmail = '<img/src="x"onerror="window.ran=1">@mail.example';

type Answer = Readonly<Record<string, unknown>>;

export interface Filling {
  /** Signed in as the administrator. */
  readonly page: Page;
  readonly ftpPort: number;
  readonly dir: string;
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Sends requests as the page does: with its cookie and token. */
export function createAsk({ page }: Pick<Filling, 'page'>): Ask {
  let token = '';
  return async (method, path, body) => {
    const url = new URL(path, page.url()).href;
    if (token === '') {
      const session = await page.request.get(new URL('/api/session', page.url()).href);
      token = String(((await session.json()) as Answer)['csrf_token']);
    }
    const headers = { 'x-csrf-token': token, 'sec-fetch-site': 'same-origin' };
    const isForm = body instanceof FormData;
    const sent = isForm ? { multipart: body } : body === undefined ? {} : { data: body };
    // A model is read by a process of the lowest priority, which gets little time beside other tests.
    const timeout = 180_000;
    const answer = await page.request.fetch(url, { method, headers, timeout, ...sent });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${text}`);
    return JSON.parse(text || '{}') as Answer;
  };
}

export function formOf(field: string, files: readonly (readonly [name: string, bytes: Buffer | string])[]) {
  const form = new FormData();
  for (const [name, bytes] of files) form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))]), name);
  return form;
}

/** One of everything that has a name or a text, named by markup. */
export async function fillWithMarkup(filling: Filling) {
  const ask = createAsk(filling);
  const face = await drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg: 0 }]);

  await ask('PATCH', '/api/user', { name: hostile('user') });
  await ask('POST', '/api/keys', { name: hostile('key') });
  await ask('POST', '/api/invitations', { email: hostileEmail, role: 'reader' });
  await ask('POST', '/api/admin/accounts', { name: hostile('account') });

  const { model_id: perception } = await ask('POST', '/api/perceptions', { name: hostile('perception') });
  const { id: person } = await ask('POST', `/api/perceptions/${perception}/people`, {
    name: hostile('person'),
    key_id: hostile('key_id'),
  });
  await ask('POST', `/api/people/${person}/images`, formOf('image', [[`${hostile('face')}.png`, face]]));

  const { id: dataset } = await ask('POST', '/api/datasets', {
    name: hostile('dataset'),
    task: 'classification',
  });
  await ask(
    'POST',
    `/api/datasets/${dataset}/images?label=${encodeURIComponent(hostile('class'))}`,
    formOf('file', [[`${hostile('image')}.png`, face]]),
  );

  const { model_id: model } = await ask('POST', '/api/models', {
    name: hostile('model'),
    description: hostile('description'),
    task: 'classification',
  });
  const labels = `${hostile('label')}\n${hostile('other')}\n`;
  const files = [[`${hostile('net')}.onnx`, tinyOnnx()] as const, ['labels.txt', labels] as const];
  await ask('POST', `/api/models/${model}/versions`, formOf('file', files));

  const printed = await lettering([{ text: '&lt;img src=x onerror=ran=1&gt;', left: 60, top: 120 }]);
  const read = await predict(filling, printed, '');
  const predicted = await predict(filling, face, `&model_id=${model}`);
  const drop = await fillDrop(filling, ask, { model, face });
  return { perception, person, dataset, model, drop, analyses: [read, predicted] } as const;
}

/** Returns the fileid. */
async function predict({ page }: Filling, image: Buffer, query: string): Promise<string> {
  const ask = createAsk({ page });
  const { key } = await ask('POST', '/api/session/key');
  const answer = await page.request.post(new URL(`/predict/image?apikey=${key}${query}`, page.url()).href, {
    multipart: formOf('image', [[`${hostile('sent')}.png`, image]]),
  });
  const { fileid } = (await answer.json()) as Answer;
  return String(fileid ?? answer.headers()['x-file-id']);
}

/** A drop with an image whose name and every field of whose metadata are markup, and files that no browser should run. */
async function fillDrop(
  { dir, ftpPort }: Filling,
  ask: Ask,
  { model, face }: { readonly model: unknown; readonly face: Buffer },
): Promise<unknown> {
  const { id, key, ftp } = await ask('POST', '/api/drops', {
    name: hostile('drop'),
    destination: { kind: 'folder', folder: dir },
    settings: { model_id: String(model), other_files: 'deliver', keep_done_days: 5 },
  });
  const path = join(dir, 'described.png');
  await writeFile(path, face);
  const fields = ['IPTC:Keywords', 'IPTC:Caption-Abstract', 'IPTC:By-line', 'XMP-dc:Subject', 'XMP-dc:Title'];
  const args = fields.map((field) => `-${field}=${hostile(field.replace(/\W/g, ''))}`);
  await promisify(execFile)('perl', [await exiftoolPath(), '-q', '-overwrite_original', ...args, path]);
  const client = new Client(10_000);
  const { user_name: user } = ftp as { user_name: string };
  await client.access({ host: '127.0.0.1', port: ftpPort, user, password: String(key) });
  await client.uploadFrom(path, `${hostile('photo')}.png`);
  for (const [name, text] of Object.entries(documents)) {
    await writeFile(join(dir, name), text);
    await client.uploadFrom(join(dir, name), name);
  }
  client.close();
  for (let tries = 0; tries < 300; tries += 1) {
    const data = (await ask('GET', `/api/drops/${id}/files`))['data'] as { ended_at: string | null }[];
    const ended = data.filter(({ ended_at }) => ended_at !== null);
    if (ended.length === 1 + Object.keys(documents).length) return id;
    await sleep(100);
  }
  throw new Error(
    `not all files were worked on: ${JSON.stringify(await ask('GET', `/api/drops/${id}/files`))}`,
  );
}

/** Files that a browser would run if they were served with their type. */
export const documents: Readonly<Record<string, string>> = {
  'page.html': '<!doctype html><script>window.ran = 1</script>',
  'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = 1"/>',
  'image.gif': 'GIF89a/*<script>window.ran=1</script>*/=1;window.ran=1',
  'page.jpg': '<html><body onload="window.ran = 1">',
};
