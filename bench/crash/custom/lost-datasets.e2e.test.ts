import { expect, test } from 'vitest';
import { type CustomLedger, createCustomLedger, type DatasetEntry, type Shown } from './ledger.js';
import { findLostDatasets } from './lost-datasets.js';
import type { StoredCustom } from './stored-custom.js';

// Losses that the tests plant: each must be reported, and nothing else.

const datasetId = 1001;
const row = (sha256: string, shown: Shown) => ({ datasetId, sha256, blobId: `blob of ${sha256}`, shown });
const stored = (given: Partial<StoredCustom> = {}): StoredCustom => ({
  datasets: new Set([datasetId]),
  classes: new Map([[1, 'cat']]),
  images: new Map([
    [11, row('a', 1)],
    [12, row('b', 'unsaid')],
  ]),
  models: new Map(),
  versions: [],
  trainings: [],
  ...given,
});

function ledgerWith(change: (entry: DatasetEntry) => void = () => undefined): CustomLedger {
  const image = (sha256: string, shown: Shown) => ({ sha256, shown: [shown], isDeleted: 'no' as const });
  const entry: DatasetEntry = {
    classes: new Map([[1, { names: ['cat'] }]]),
    images: new Map([
      [11, image('a', 1)],
      [12, image('b', 'unsaid')],
    ]),
    sent: new Set(['a', 'b']),
    isDeleted: 'no',
  };
  change(entry);
  const ledger = createCustomLedger();
  ledger.datasets.set(datasetId, entry);
  return ledger;
}
const mark = (entry: DatasetEntry, id: number, change: object) =>
  Object.assign(entry.images.get(id) ?? {}, change);

test('nothing is reported where nothing is lost', () => {
  expect(findLostDatasets(stored(), ledgerWith())).toEqual([]);
});

test('a dataset that is missing or back, and images that outlived theirs, are reported', () => {
  expect(findLostDatasets(stored({ datasets: new Set(), images: new Map() }), ledgerWith())).toEqual([
    'dataset 1001: deleted no, there false',
  ]);
  const deleted = (isDeleted: 'yes' | 'maybe') => ledgerWith((entry) => Object.assign(entry, { isDeleted }));
  expect(findLostDatasets(stored(), deleted('yes'))).toEqual(['dataset 1001: deleted yes, there true']);
  expect(findLostDatasets(stored({ datasets: new Set() }), deleted('maybe'))).toEqual([
    '2 images of dataset 1001 outlived it',
  ]);
});

test('an image that is missing, back, of another class, changed, duplicate or unknown is reported', () => {
  const losses = (images: StoredCustom['images'], change?: (entry: DatasetEntry) => void) =>
    findLostDatasets(stored({ images }), ledgerWith(change));
  const [a, b] = [row('a', 1), row('b', 'unsaid')];
  expect(losses(new Map([[11, a]]))).toEqual(['image 12 is gone']);
  const both = new Map([
    [11, a],
    [12, b],
  ]);
  expect(losses(both, (entry) => mark(entry, 11, { isDeleted: 'yes' }))).toEqual([
    'image 11 was deleted and is there',
  ]);
  expect(losses(new Map([...both, [11, row('a', 'none')]]))).toEqual(['image 11 shows none, not 1']);
  expect(losses(new Map([...both, [12, row('a', 'unsaid')]]))).toEqual([
    'image 12 is another one than was sent',
    'dataset 1001 has an image twice',
  ]);
  expect(losses(new Map([...both, [13, row('c', 1)]]))).toEqual([
    'dataset 1001 has 1 images that were never sent',
  ]);
});

test('a class that is missing, or has its old name, is reported', () => {
  expect(findLostDatasets(stored({ classes: new Map() }), ledgerWith())).toEqual(['class 1 is gone']);
  const renamed = ledgerWith((entry) => entry.classes.set(1, { names: ['dog'] }));
  expect(findLostDatasets(stored(), renamed)).toEqual(['class 1 is named cat, not dog']);
});

test('an unanswered change may have happened or not, and stays as it was found', () => {
  const ledger = ledgerWith((entry) => {
    mark(entry, 11, { shown: ['none', 1] });
    mark(entry, 12, { isDeleted: 'maybe' });
    entry.classes.set(1, { names: ['dog', 'cat'] });
  });
  expect(findLostDatasets(stored(), ledger)).toEqual([]);
  const later = stored({ classes: new Map([[1, 'dog']]), images: new Map([[11, row('a', 'none')]]) });
  expect(findLostDatasets(later, ledger)).toEqual([
    'class 1 is named dog, not cat',
    'image 11 shows none, not 1',
    'image 12 is gone',
  ]);
});
