import { expect, test } from 'vitest';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { withoutIncomplete } from './label-images.js';

const image = (id: string, labels: readonly number[], isPartlyLabelled: boolean): ClassifiedImage => ({
  ...{ id, labels, isPartlyLabelled },
  ...{ path: '', sha256: '', split: 'train' },
});
const job = (multiLabel: boolean): ClassifierTraining => ({
  ...{ kind: 'classification', title: '', labels: [], cacheDir: '', outDir: '', seed: 1, multiLabel },
  backbone: { id: '', version: '', dir: '' },
  limits: { maxPixels: 1 },
  noneOfThese: !multiLabel,
  images: [image('none', [], false), image('lost', [], true), image('one', [0], true)],
});

test.each([
  [false, ['none', 'one'], ['lost']],
  [true, ['none'], ['lost', 'one']],
])(
  'an image that lost labels is no example of what it lacks (any number of labels: %s)',
  (multi, used, left) => {
    const { job: kept, incomplete } = withoutIncomplete(job(multi));
    expect(kept.images.map(({ id }) => id)).toEqual(used);
    expect(incomplete.map(({ id }) => id)).toEqual(left);
  },
);
