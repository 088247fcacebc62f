import { expect, test } from 'vitest';
import { loadSettings } from '../../core/load-settings.js';
import { neededModelIds } from '../../recognition/needed-models.js';
import { createBuiltinModels, settingsThatSelect } from './builtin-models.js';
import { shippedSelection } from './shipped-models.js';

type Listed = Parameters<typeof createBuiltinModels>[0] & object;

const entry = (id: string, family: string, modelId?: number) =>
  ({ entry: { id, title: id.toUpperCase(), family, modelId } }) as unknown as Listed[number];
const catalog = [
  entry('coco-ssd', 'detector'),
  entry('bears', 'detector', 301),
  entry('tones', 'classifier', 302),
];
const select = (changes: Partial<typeof shippedSelection>) =>
  createBuiltinModels(catalog, { ...shippedSelection, ...changes });

test('nothing changes unless a setting selects a model', () => {
  const { settings } = loadSettings({ env: {}, cwd: '/' });
  expect(settings).toMatchObject(shippedSelection);
  const { defaults, all } = select({});
  const { general, drops, v2 } = defaults;
  expect([general.detector.uid, general.classifier.uid, v2.uid]).toEqual([
    'coco-accurate',
    'imagenet',
    'coco-accurate',
  ]);
  expect(drops).toEqual(general);
  expect(all.map(({ id }) => id)).toEqual([101, 102, 201, 301, 302]);
});

test('an added model is found by its id and by its number, and the components of shipped ones are not', () => {
  const { find } = select({});
  expect(find('301')).toEqual({
    uid: 'bears',
    id: 301,
    title: 'BEARS',
    type: 'object_detection',
    parts: ['bears'],
  });
  expect([find('bears')?.id, find('tones')?.type, find('coco-ssd')]).toEqual([
    301,
    'classification',
    undefined,
  ]);
});

test('each setting selects for its own requests; drops follow general recognition unless told otherwise', () => {
  const general = select({ defaultDetector: 'bears' }).defaults;
  expect([general.general.detector.id, general.drops.detector.id, general.v2.id]).toEqual([301, 301, 101]);
  const drops = select({ dropDetector: '301', dropClassifier: 'tones' }).defaults;
  expect([drops.general.detector.id, drops.drops.detector.id, drops.drops.classifier.id]).toEqual([
    101, 301, 302,
  ]);
  expect(select({ v2Model: '302' }).defaults.v2.uid).toBe('tones');
});

test.each([
  [
    { defaultDetector: 'wolves' },
    /defaultDetector selects wolves, .* one of coco-accurate, coco-fast, bears\. models add/,
  ],
  [{ defaultClassifier: 'bears' }, /defaultClassifier selects bears, .* one of imagenet, tones\./],
  [{ dropClassifier: '101' }, /dropClassifier selects 101/],
  [{ v2Model: 'coco-ssd' }, /v2Model selects coco-ssd/],
])('%j is refused with the models that there are', (selection, message) => {
  expect(() => select(selection)).toThrow(message);
});

test('a selected model is needed, and is known by the settings that select it', () => {
  const parts = { recognitionParts: 'objects', faceChain: 'accurate' } as const;
  expect(neededModelIds(parts, select({}))).not.toContain('bears');
  expect(neededModelIds(parts, select({ dropDetector: 'bears' }))).toContain('bears');
  const selection = { ...shippedSelection, dropDetector: '301', v2Model: 'bears' };
  expect(settingsThatSelect({ uid: 'bears', id: 301 }, selection)).toEqual(['dropDetector', 'v2Model']);
});
