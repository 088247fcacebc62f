import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from '../support/default-models.js';

const program = fileURLToPath(new URL('../../clients/compreface-sdk.mjs', import.meta.url));
const script = fileURLToPath(new URL('../../../scripts/from-compreface.mjs', import.meta.url));
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const box = expect.objectContaining({ probability: expect.any(Number), x_min: expect.any(Number) });
const alike = { similarity: expect.any(Number) };
const face = (...names: readonly string[]) => ({
  box,
  subjects: names.map((subject) => ({ subject, ...alike })),
});

let folder: string;
let service: Service;
/** Images that the SDK fetches itself: it wants to know their type. */
let remote: Server;
let output: string;
let logged = '';
let key: string;
let ada: Buffer;
const read = new Map<string, unknown>();

const haveModels = await haveDefaultModels();

/** The unmodified SDK from npm against the service as it is installed, with real models and drawn faces. */
describe.skipIf(!haveModels)('@exadel/compreface-js-sdk 1.0.0', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-compreface-sdk-'));
    ada = await drawFaces(280, 280, [{ x: 140, y: 140, unit: 5 }]);
    const tilted = await drawFaces(280, 280, [{ x: 140, y: 140, unit: 5, tiltDeg: 16 }]);
    const images = {
      ADA: ada,
      GRACE: await sharp(tilted).modulate({ hue: 60, saturation: 0.4 }).png().toBuffer(),
      BOTH: await drawFaces(
        600,
        280,
        [140, 440].map((x) => ({ x, y: 140, unit: x > 200 ? 4 : 5 })),
      ),
      NOBODY: await drawFaces(280, 280, []),
    };
    const files = Object.fromEntries(Object.keys(images).map((name) => [name, join(folder, `${name}.png`)]));
    await Promise.all(Object.entries(images).map(([name, bytes]) => writeFile(files[name] ?? '', bytes)));
    // Another picture of the same face.
    const photo = await sharp(ada).jpeg({ quality: 90 }).toBuffer();
    remote = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo));
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
    const { port } = remote.address() as AddressInfo;
    const settings = { LYNCEUS_RECOGNITION_PARTS: 'faces', LYNCEUS_LOG_LEVEL: 'info' };
    service = await startService(settings, (text) => {
      logged += text;
    });
    const perception = await manage('/api/perceptions', { name: 'staff' });
    const compat = { protocol: 'compreface', perception: perception.uid };
    key = (await manage('/api/keys', { name: 'SDK', compat })).key;
    const env = { BASE: service.url, KEY: key, ADA_URL: `http://127.0.0.1:${port}/ada.jpg`, ...files };
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, ...env, no_proxy: '127.0.0.1,127.0.0.2' },
    });
    output = stdout;
    for (const line of stdout.split('\n')) {
      const [name = '', text] = line.split('\t');
      if (text !== undefined) read.set(name, JSON.parse(text));
    }
  }, 120_000);
  afterAll(async () => {
    remote?.close();
    await Promise.all([service?.stop(), rm(folder, { recursive: true, force: true })]);
  });

  async function manage(path: string, body: object) {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return JSON.parse(await answer.text());
  }

  const table: readonly (readonly [call: string, reads: string, wanted: () => unknown])[] = [
    ['subjects.list, empty', 'no names', () => ({ subjects: [] })],
    ['subjects.add', 'the name', () => ({ subject: 'Ada' })],
    ['subjects.add again', '400, 43', () => isRefused(400, 43)],
    ['add by path, ?subject=…?det_prob_threshold=…', 'a UUID', () => added('Ada')],
    ['add by base64', 'a UUID', () => added('Grace Hopper')],
    ['add by address', 'a UUID', () => added('Zoë')],
    ['add of several faces', '400, 31', () => isRefused(400, 31)],
    ['add of no face', '400, 28', () => isRefused(400, 28)],
    [
      'list',
      'images and subjects',
      () => ({
        faces: [added('Ada'), added('Grace Hopper'), added('Zoë')],
        ...{ page_number: 0, page_size: 20, total_pages: 1, total_elements: 3 },
      }),
    ],
    ['recognize by path', 'the subject', () => ({ result: [face('Ada')] })],
    ['recognize by base64', 'the subject', () => ({ result: [face('Ada')] })],
    ['recognize by address', 'the subject', () => ({ result: [face('Zoë')] })],
    [
      'recognize with every option',
      'one face, three subjects, landmarks, pose, status',
      () => ({
        result: [
          {
            box,
            subjects: [alike, alike, alike].map((each) => expect.objectContaining(each)),
            landmarks: expect.objectContaining({ length: 5 }),
            pose: { pitch: expect.any(Number), roll: expect.any(Number), yaw: expect.any(Number) },
            execution_time: expect.any(Object),
          },
        ],
        plugins_versions: expect.any(Object),
      }),
    ],
    ['recognize of no face', '400, 28', () => isRefused(400, 28)],
    ['verify with a stored image', 'a similarity', () => ({ result: [{ box, ...alike }] })],
    ['rename', 'updated', () => ({ updated: true })],
    ['rename into another', 'updated', () => ({ updated: true })],
    ['rename of nobody', '404, 42', () => isRefused(404, 42)],
    ['subjects.list', 'merged names', () => ({ subjects: ['Ada', 'Grace'] })],
    ['delete', 'the image and its subject', () => added('Ada')],
    ['delete again', '404, 44', () => isRefused(404, 44)],
    ['delete_multiple_images', 'the images', () => [added('Mary')]],
    ['delete_all_subject', 'how many', () => ({ deleted: 1 })],
    ['subjects.delete', 'the name', () => ({ subject: 'Mary' })],
    ['delete_all', 'how many', () => ({ deleted: 1 })],
    ['subjects.deleteAll', 'how many', () => ({ deleted: 0 })],
    ['list, empty', 'no images', () => expect.objectContaining({ faces: [], total_elements: 0 })],
    [
      'detect by path',
      'two boxes with landmarks',
      () => ({ result: [1, 2].map(() => ({ box, landmarks: expect.any(Array) })) }),
    ],
    ['detect by base64', 'one box', () => expect.objectContaining({ plugins_versions: expect.any(Object) })],
    ['verify two paths', 'a similarity', () => verified(1)],
    ['verify two base64', 'a similarity of each face', () => verified(2)],
    ['verify two addresses', 'a similarity', () => verified(1)],
    ['a wrong key', '404, 10', () => isRefused(404, 10)],
  ];

  test.each(table)('%s: reads %s', (call, _reads, wanted) => {
    expect(read.get(call)).toEqual(wanted());
  });

  test('every call is in the table, and none failed before it was sent', () => {
    expect([...read.keys()].sort()).toEqual(table.map(([call]) => call).sort());
    expect(output).not.toContain('"failed"');
  });

  test('scripts/from-compreface fetches from here what was enrolled here, byte by byte', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(ada)]), 'ada.png');
    const enrolled = await fetch(`${service.url}/api/v1/recognition/faces?subject=Ada`, {
      ...{ method: 'POST', headers: { 'x-api-key': key }, body: form },
    });
    const { image_id: id } = JSON.parse(await enrolled.text());
    const into = join(folder, 'fetched');
    const env = { ...process.env, COMPREFACE_KEY: key };
    await promisify(execFile)(process.execPath, [script, service.url, into], { env });
    expect(await readFile(join(into, 'Ada', `${id}.png`))).toEqual(ada);
  });

  test('the service logged no key and no error', () => {
    expect(logged).toContain('/api/v1/recognition/recognize');
    expect(logged).not.toContain(key);
    expect(logged).not.toContain('request failed');
  });
});

function added(subject: string) {
  return { image_id: uuid, subject };
}

function isRefused(status: number, code: number) {
  return { refused: { status, message: expect.any(String), code } };
}

function verified(faces: number) {
  const matches = Array.from({ length: faces }, () => expect.objectContaining({ box, ...alike }));
  return {
    result: [
      expect.objectContaining({
        source_image_face: expect.objectContaining({ box }),
        face_matches: matches,
      }),
    ],
  };
}
