import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AddRequest } from '../catalog/catalog.js';
import { sha256OfFile } from '../catalog/checked-file.js';
import type { FetchFunction } from '../catalog/fetch-context.js';
import { table, tinyNet } from '../uploads/fixtures/tiny-nets.js';
import { openCatalog } from './open-catalog.js';

let folder: string;
let file: string;

/** 84 cells of stride 8, 16 and 32 over 64 pixels, YOLOv8: a bear. */
const bears = tinyNet({
  outputs: [{ name: 'output0', ...table(84, 6, { 3: [32, 32, 32, 48, 0, 0.9] }, true) }],
  metadata: { names: "{0: 'moose', 1: 'bear'}", stride: '32', imgsz: '[64, 64]', task: 'detect' },
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-adding-'));
  file = join(folder, 'bears.onnx');
  await writeFile(file, bears);
  await mkdir(join(folder, 'shipped', 'labels'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modelsDir = () => join(folder, 'models');
const open = (fetch?: FetchFunction, dir = modelsDir()) =>
  openCatalog({
    modelsDir: dir,
    entriesDir: join(folder, 'shipped'),
    reservedIds: ['coco-fast'],
    ...(fetch && { fetch }),
  });
const request = (changes: Partial<AddRequest> = {}): AddRequest => ({
  id: 'bears',
  from: file,
  licence: { stated: 'Apache-2.0', text: 'Apache License, Version 2.0' },
  options: {},
  maxBytes: 1e6,
  ...changes,
});
const add = async (changes: Partial<AddRequest> = {}, fetch?: FetchFunction) =>
  (await open(fetch)).add(request(changes));
/** Everything in the models folder but the lock. */
const filesThere = async () => (await readdir(modelsDir(), { recursive: true })).sort();

const answering =
  (content: Uint8Array, status = 200, url = 'https://models.test/bears.onnx'): FetchFunction =>
  async () => ({
    status,
    url,
    headers: { get: (name) => (name === 'content-length' ? String(content.length) : null) },
    body: (async function* () {
      yield content;
    })(),
  });

test('a file is recognised, tried and installed with its labels, licence and a number', async () => {
  const { model, ref, format } = await add({ title: 'Animals of the forest' });
  expect(format).toBe('onnx');
  expect(model.manifest).toMatchObject({
    title: 'Animals of the forest',
    family: 'detector',
    labels: [
      { id: 'bears:0', title: 'moose' },
      { id: 'bears:1', title: 'bear' },
    ],
  });
  const catalog = await open();
  expect(catalog.list()).toMatchObject([
    {
      entry: {
        id: 'bears',
        modelId: 301,
        licence: { stated: 'Apache-2.0', text: 'Apache License, Version 2.0' },
      },
      origin: 'own',
      installed: ref,
    },
  ]);
  expect(await catalog.verify(['bears'])).toEqual([{ id: 'bears', state: 'ok', problems: [] }]);
});

test('a file is downloaded from an https address, and its address is kept', async () => {
  const from = 'https://models.test/bears.onnx?token=secret';
  const { model } = await add({ from, sha256: await sha256OfFile(file) }, answering(bears));
  expect(model.entry.source).toMatchObject({ kind: 'https', files: [{ url: from, name: 'bears.onnx' }] });
  expect(JSON.stringify(model.entry.provenance)).not.toContain('secret');
});

describe('leaves nothing behind when', () => {
  test.each<[string, Partial<AddRequest>, RegExp, FetchFunction?]>([
    ['the id is taken by another model', { id: 'coco-fast' }, /id "coco-fast" is taken/],
    ['the id is a number', { id: '301' }, /cannot be an id/],
    ['there is no licence', { licence: { stated: ' ' } }, /needs a licence/],
    ['the checksum differs', { sha256: '0'.repeat(64) }, /bears\.onnx has SHA-256 [0-9a-f]{64}, not 0000/],
    ['the file is too large', { maxBytes: 100 }, /more than 100 bytes/],
    ['there is no such file', { from: '/nowhere/x.onnx' }, /There is no file/],
    ['the options do not fit', { options: { layout: 'yolo9000' } }, /options of the model are wrong/],
    [
      'the model is an embedder',
      { options: { family: 'embedder' } },
      /cannot be added|takes detectors and classifiers/,
    ],
    ['the address is http', { from: 'http://models.test/x.onnx' }, /no https address/],
    ['the address has a password', { from: 'https://me:pw@models.test/x.onnx' }, /user or password/],
    [
      'the server has no such file',
      { from: 'https://models.test/x.onnx' },
      /models\.test answered 404 for \/x\.onnx/,
      answering(bears, 404),
    ],
    [
      'the server redirects to plain http',
      { from: 'https://models.test/x.onnx' },
      /redirects to an address without https/,
      answering(bears, 200, 'http://models.test/x.onnx'),
    ],
    [
      'the download is too large',
      { from: 'https://models.test/x.onnx', maxBytes: 100 },
      /file of models\.test has more than 100 bytes/,
      answering(bears),
    ],
    [
      'the download is no model',
      { from: 'https://models.test/x.onnx' },
      /https:\/\/models\.test\/x\.onnx cannot be added/,
      answering(Buffer.from('<html>')),
    ],
    [
      'the calibration fails',
      { calibrate: () => Promise.reject(new Error('too few images')) },
      /too few images/,
    ],
  ])('%s', async (_what, changes, message, fetch) => {
    await expect(add(changes, fetch)).rejects.toThrow(message);
    const left = await filesThere().catch(() => []);
    expect(left.filter((name) => !['entries', 'scratch'].includes(name))).toEqual([]);
  });
});

test('an id is used once, and a number belongs to its id for ever', async () => {
  await add();
  await expect(add()).rejects.toThrow(/"bears" is taken; .*models remove bears/);
  const catalog = await open();
  await catalog.add(request({ id: 'foxes' }));
  expect(await catalog.remove('bears')).toBe(true);
  expect(catalog.list().map(({ entry }) => entry.id)).toEqual(['foxes']);
  expect((await catalog.add(request({ id: 'wolves' }))).model.entry.modelId).toBe(303);
  expect((await catalog.add(request())).model.entry.modelId).toBe(301);
});

test('removal deletes everything of a model but its number, and keeps a source that another one uses', async () => {
  await add();
  await add({ id: 'foxes' });
  const catalog = await open();
  await catalog.remove('bears');
  expect(await catalog.verify(['foxes'])).toMatchObject([{ state: 'ok' }]);
  expect(await readdir(join(modelsDir(), 'sources'))).toHaveLength(1);
  await catalog.remove('foxes');
  const left = (await filesThere()).filter((name) => !/^(entries|installed|scratch|sources)/.test(name));
  expect(left).toEqual(['model-numbers.json']);
  for (const name of ['installed', 'scratch', 'sources', 'entries/labels'])
    expect(await readdir(join(modelsDir(), name))).toEqual([]);
});

test('a damaged version is converted again from the kept source, without the file and the network', async () => {
  const { ref } = await add();
  await rm(file);
  await writeFile(join(ref.dir, 'model.onnx'), 'damaged');
  const catalog = await open();
  expect(await catalog.verify(['bears'])).toMatchObject([{ state: 'damaged' }]);
  await catalog.install(['bears'], { repair: true });
  expect(await catalog.verify(['bears'])).toMatchObject([{ state: 'ok' }]);
});

describe('a bundle', () => {
  const elsewhere = () => join(folder, 'elsewhere');
  const bundle = () => join(folder, 'models.tar');

  test('carries an added model to a machine without its entry, with its number and licence', async () => {
    await add();
    await (await open()).exportBundle(['bears'], bundle());
    const catalog = await open(undefined, elsewhere());
    expect(await catalog.importFile(bundle())).toEqual(['bears']);
    expect(await catalog.verify(['bears'])).toMatchObject([{ state: 'ok' }]);
    const [here] = (await open()).list();
    const [there] = catalog.list();
    expect(there?.entry).toEqual(here?.entry);
    // Again, nothing is new.
    expect(await catalog.importFile(bundle())).toEqual(['bears']);
  });

  test('gives another number where that of the model is taken', async () => {
    await add();
    await (await open()).exportBundle(['bears'], bundle());
    const catalog = await open(undefined, elsewhere());
    await catalog.add(request({ id: 'foxes' }));
    await catalog.importFile(bundle());
    expect(catalog.list().map(({ entry }) => [entry.id, entry.modelId])).toEqual([
      ['bears', 302],
      ['foxes', 301],
    ]);
  });

  test('with a model whose id is taken here is refused, and nothing of it is kept', async () => {
    await add();
    await (await open()).exportBundle(['bears'], bundle());
    const catalog = await open(undefined, elsewhere());
    await catalog.add(request({ title: 'Others' }));
    await expect(catalog.importFile(bundle())).rejects.toThrow(/Another model has the id "bears"/);
  });

  test('whose entry was changed to run something else is refused', async () => {
    await add();
    const entry = join(modelsDir(), 'entries', 'bears.json');
    const changed = JSON.parse(await readFile(entry, 'utf8')) as Record<string, unknown>;
    await writeFile(entry, JSON.stringify({ ...changed, input: { fit: 'squash', width: 32, height: 32 } }));
    await (await open()).exportBundle(['bears'], bundle());
    const catalog = await open(undefined, elsewhere());
    await expect(catalog.importFile(bundle())).rejects.toThrow(
      /recognised as something else than its entry says/,
    );
    expect(catalog.list()).toEqual([]);
    expect(await readdir(join(elsewhere(), 'sources'))).toEqual([]);
  });

  describe('that was tampered with is refused, and nothing of it is kept:', () => {
    interface Bundled {
      id: string;
      files: unknown;
      added: { entry: Record<string, unknown>; labels: { id: string; title: string }[] };
    }
    const named = (id: string) => (model: Bundled) => {
      Object.assign(model, {
        id,
        added: { ...model.added, entry: { ...model.added.entry, id, labels: `${id}.json` } },
      });
      model.added.labels = model.added.labels.map((label, at) => ({ ...label, id: `${id}:${at}` }));
    };
    const having = (changes: Record<string, unknown>) => (model: Bundled) => {
      Object.assign(model.added.entry, changes);
    };
    const curve = (points: number[][]) => having({ calibration: { version: 'x', points } });

    test.each<[string, (model: Bundled, all: Bundled[]) => void, RegExp]>([
      ['the id of a shipped model', named('coco-fast'), /id "coco-fast" is taken/],
      ['an id that reads as a number', named('302'), /"302" cannot be an id/],
      ['a path as its id', named('../x'), /cannot be an id|cannot be used/],
      ['a number of another range', having({ modelId: 101 }), /modelId/],
      [
        'a curve that falls',
        curve([
          [0, 0],
          [0.5, 0.7],
          [0.6, 0.2],
          [1, 1],
        ]),
        /calibration is damaged/,
      ],
      [
        'a curve above 1',
        curve([
          [0, 0],
          [1, 7],
        ]),
        /calibration is damaged/,
      ],
      ['a temperature of nothing', having({ temperature: 1e-300 }), /temperature is damaged/],
      ['a description of megabytes', having({ summary: 'x'.repeat(3e6) }), /too long/],
      [
        'two labels of one id',
        ({ added }) =>
          added.labels.forEach((label) => {
            label.id = 'bears:0';
          }),
        /entry was changed/,
      ],
      [
        'the same model twice',
        (model, all) => {
          all.push(model);
        },
        /names "bears" twice/,
      ],
    ])('%s', async (_what, change, message) => {
      await add();
      await (await open()).exportBundle(['bears'], bundle());
      const unpacked = join(folder, 'unpacked');
      await mkdir(unpacked);
      await extract({ file: bundle(), cwd: unpacked });
      const path = join(unpacked, 'lynceus-models.json');
      const index = JSON.parse(await readFile(path, 'utf8')) as { models: Bundled[] };
      for (const model of [...index.models]) change(model, index.models);
      await writeFile(path, JSON.stringify(index));
      await create({ file: bundle(), cwd: unpacked, portable: true }, [
        'lynceus-models.json',
        ...(await sourcesIn(unpacked)),
      ]);
      const catalog = await open(undefined, elsewhere());
      await expect(catalog.importFile(bundle())).rejects.toThrow(message);
      expect(catalog.list()).toEqual([]);
      expect(await readdir(join(elsewhere(), 'sources')).catch(() => [])).toEqual([]);
    });

    const sourcesIn = async (dir: string) =>
      (await readdir(join(dir, 'sources'))).map((name) => `sources/${name}`);
  });
});
