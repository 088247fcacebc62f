import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCatalog } from './catalog.js';
import type { CatalogEntry } from './entry.js';
import { factsOf, tinyEntry, tinyModel, writeEntries } from './fixtures/tiny-model.js';
import { Label } from './manifest.js';

const shipped = fileURLToPath(new URL('../../models/', import.meta.url));
const readLabels = async (name: string) =>
  Value.Parse(Type.Array(Label), JSON.parse(await readFile(join(shipped, 'labels', name), 'utf8')));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-entries-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('label tables', () => {
  test('ImageNet has 1000 classes in the order of their WordNet ids, each with a title of its own', async () => {
    const labels = await readLabels('imagenet.json');
    const ids = labels.map(({ id }) => id);
    expect(ids).toHaveLength(1000);
    expect(ids.filter((id) => !/^n\d{8}$/.test(id))).toEqual([]);
    expect(ids).toEqual([...new Set(ids)].sort());
    // Unique regardless of case: keywords are searched case-insensitively.
    expect(new Set(labels.map(({ title }) => title.toLowerCase())).size).toBe(1000);
    expect(labels.filter(({ title }) => title.trim() !== title || title.length < 2)).toEqual([]);
  });

  test.each([
    [0, 'n01440764', 'tench'],
    [134, 'n02012849', 'crane bird'],
    [388, 'n02510455', 'giant panda'],
    [517, 'n03126707', 'crane machine'],
    [638, 'n03710637', 'maillot'],
    [639, 'n03710721', 'maillot tank suit'],
    [999, 'n15075141', 'toilet tissue'],
  ])('class %i of ImageNet is %s, %s', async (index, id, title) => {
    expect((await readLabels('imagenet.json'))[index]).toEqual({ id, title });
  });

  test('COCO has 80 classes with the category ids of the data set', async () => {
    const labels = await readLabels('coco.json');
    expect(labels).toHaveLength(80);
    expect(labels[0]).toEqual({ id: 'coco:1', title: 'person' });
    expect(labels[79]).toEqual({ id: 'coco:90', title: 'toothbrush' });
    expect(new Set(labels.map(({ title }) => title)).size).toBe(80);
  });
});

describe('the shipped catalogue', () => {
  test('has as its default set classification, detection, text, and both chains for faces', async () => {
    const catalog = await openCatalog({ modelsDir: folder });
    expect(catalog.defaultIds()).toEqual([
      'centernet-coco',
      'coco-ssd',
      'dlib-resnet',
      'fr-detect',
      'fr-feature',
      'fr-landmark',
      'fr-liveness',
      'inception-v3',
      'onet',
      'ppocr-v2-angle',
      'ppocr-v4-det',
      'ppocr-v4-rec',
    ]);
  });

  test('states for every model what is known about its origin and what is not', async () => {
    for (const { entry } of (await openCatalog({ modelsDir: folder })).list()) {
      expect(entry.provenance.known.length).toBeGreaterThan(0);
      expect(entry.provenance.unknown.length).toBeGreaterThan(0);
      expect(entry.measured.length).toBeGreaterThan(0);
    }
  });

  test('reads the columns of COCO-SSD that the label table names', async () => {
    const model = (await openCatalog({ modelsDir: folder }))
      .list()
      .find(({ entry }) => entry.id === 'coco-ssd');
    const recipe = model?.entry.recipe;
    const head = recipe && 'head' in recipe ? recipe.head : undefined;
    const columns = head?.head === 'ssd' ? head.classIds : [];
    expect(columns.map((column) => `coco:${column + 1}`)).toEqual(model?.manifest.labels.map(({ id }) => id));
  });
});

describe('custom entries', () => {
  const own = (): CatalogEntry =>
    tinyEntry('mine', {
      kind: 'file',
      files: Object.entries(tinyModel()).map(([name, content]) => ({
        ...factsOf(name, content),
        path: name,
      })),
    });
  const entries = () => join(folder, 'entries');
  const open = () => openCatalog({ modelsDir: folder });
  const writeOwn = (entry: object) =>
    mkdir(entries(), { recursive: true }).then(() =>
      writeFile(join(entries(), 'mine.json'), JSON.stringify(entry)),
    );

  test('are listed beside the shipped ones', async () => {
    await writeEntries(entries(), [own()]);
    const mine = (await open()).list().find(({ entry }) => entry.id === 'mine');
    expect(mine).toMatchObject({ origin: 'own' });
    expect(mine?.files[0]?.from).toBe(join(entries(), 'model.json'));
  });

  test('may use a shipped label table', async () => {
    await writeOwn({ ...own(), labels: 'coco.json' });
    const mine = (await open()).list().find(({ entry }) => entry.id === 'mine');
    expect(mine?.manifest.labels).toHaveLength(80);
  });

  test.each([
    ['an id that is taken', { id: 'coco-ssd' }, /the id "coco-ssd" is taken/],
    ['a misspelt key', { licens: {} }, /mine\.json: \/licens is no key of an entry/],
    [
      'labels left out where classes are named',
      { labels: undefined },
      /mine\.json: a classifier needs labels/,
    ],
    [
      'an alphabet for what reads no text',
      { alphabet: { file: 'model.json', append: [] } },
      /needs an alphabet/,
    ],
    [
      'an alphabet that the source lacks',
      { family: 'text-recogniser', alphabet: { file: 'keys.txt', append: [' '] } },
      /the alphabet keys\.txt is no file of the source/,
    ],
    ['labels that are nowhere', { labels: 'none.json' }, /labels none\.json of model mine are in none of/],
    ['an id that leads elsewhere', { id: '../../x' }, /mine\.json: \/id/],
    [
      'an address that is not https',
      { source: { kind: 'https', files: [{ url: 'http://x' }] } },
      /mine\.json/,
    ],
  ])('with %s are left out by the name of their file', async (_what, change, reason) => {
    await writeEntries(entries(), [{ ...own(), id: 'zebras' }]);
    await writeOwn({ ...own(), ...change });
    const catalog = await open();
    const ownIds = catalog.list().flatMap(({ entry, origin }) => (origin === 'own' ? [entry.id] : []));
    expect(ownIds).toEqual(['zebras']);
    const [bad] = catalog.leftOut();
    expect(bad?.warning).toMatch(reason);
    expect(bad?.warning).toMatch(/^[^\n]*mine\.json[^\n]* left out\. Remove it with: models remove mine; or/);
  });

  test('whose recipe names a file that the source lacks are left out', async () => {
    await writeEntries(entries(), []);
    await writeOwn({ ...own(), recipe: { ...own().recipe, shards: ['other.bin'] } });
    const [bad] = (await open()).leftOut();
    expect(bad?.warning).toContain('the recipe names other.bin, which is no file of the source');
  });

  test('that are left out are removed by the name of their file', async () => {
    await writeEntries(entries(), []);
    await writeFile(join(entries(), 'mine.json'), '{');
    const catalog = await open();
    await expect(catalog.install(['mine'])).rejects.toThrow(/mine\.json cannot be read/);
    expect(await catalog.remove('mine')).toBe(true);
    expect(catalog.leftOut()).toEqual([]);
    expect(await readdir(entries())).toEqual(['labels']);
    await expect(catalog.remove('mine')).rejects.toThrow(/no model "mine"/);
  });

  test('that are left out under the name of another model are not removed in its place', async () => {
    await writeEntries(entries(), []);
    await writeFile(join(entries(), 'coco-ssd.json'), '{');
    const catalog = await open();
    expect(catalog.leftOut()[0]?.warning).toMatch(/left out\. Correct or delete it\./);
    await catalog.remove('coco-ssd');
    expect(catalog.leftOut()).toHaveLength(1);
  });

  test('that are left out keep labels that another entry uses', async () => {
    await writeEntries(entries(), [{ ...own(), id: 'zebras', labels: 'mine.json' }]);
    await copyFile(join(entries(), 'labels', 'colours.json'), join(entries(), 'labels', 'mine.json'));
    await writeFile(join(entries(), 'mine.json'), '{');
    await expect((await open()).remove('mine')).rejects.toThrow(/zebras has its labels in mine\.json/);
  });
});
