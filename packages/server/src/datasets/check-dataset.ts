import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Classes } from './classes.js';
import type { Dataset, DatasetImage } from './dataset.js';
import { createFindings, type FindingsList, type FindingsReport } from './findings.js';
import { Fingerprints } from './fingerprints.js';
import type { Images } from './images.js';

/** Looks through a dataset as it is for what would make a training worse. */
export type CheckDataset = (accountId: number, dataset: Dataset) => Promise<FindingsReport>;

/** Under so many images of a class hardly anything is learned. */
export const fewImages = 5;
/** Detectors see an image about so large, and boxes under so many pixels of it not at all. */
const seenSidePx = 640;
const tinySidePx = 6;
/** Time between two looks at what else is to be done. */
const maxBlockingMs = 5;

export function createCheckDataset({
  classes,
  images,
}: {
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk'>;
}): CheckDataset {
  return async (accountId, dataset) => {
    const findings = createFindings();
    const known = await classes.list(accountId, dataset.id);
    const shown = new Map(known.map(({ id }) => [id, 0]));
    const fingerprints = new Fingerprints();
    const seen: Pick<DatasetImage, 'id' | 'fileName' | 'split'>[] = [];
    for await (const batch of images.walk(accountId, dataset.id)) {
      for (const image of batch) {
        const { id, fileName, split, labels } = image;
        if (!image.isLabelled)
          findings.add('no-labels', 'nobody said what it shows: it is not trained with', of(image));
        for (const classId of new Set(labels.map((label) => label.classId))) {
          shown.set(classId, (shown.get(classId) ?? 0) + 1);
        }
        reportTinyBoxes(image, findings);
        fingerprints.push(image.fingerprint);
        seen.push({ id, fileName, split });
      }
    }
    await reportNearDuplicates(seen, fingerprints, findings);
    for (const { id, name } of known) {
      const count = shown.get(id) ?? 0;
      if (count >= fewImages) continue;
      findings.add(
        'few-images',
        `the class "${name}" is in ${count} images; ${fewImages} is little, 20 is good`,
      );
    }
    return findings.report();
  };
}

function of({ id, fileName }: Pick<DatasetImage, 'id' | 'fileName'>) {
  return { file: fileName, imageId: id };
}

function reportTinyBoxes(image: DatasetImage, findings: FindingsList): void {
  const scale = Math.min(1, seenSidePx / Math.max(image.width, image.height));
  image.labels.forEach(({ box }, index) => {
    if (box === null) return;
    const side = scale * Math.min(box.xMax - box.xMin, box.yMax - box.yMin);
    if (side >= tinySidePx) return;
    const message = `box ${index + 1} has a side of ${Math.round(side * 10) / 10} pixels when the image is ${seenSidePx} large`;
    findings.add('tiny-box', message, of(image));
  });
}

/** Each image with the first one that it resembles; across the splits that is leakage. */
async function reportNearDuplicates(
  seen: readonly Pick<DatasetImage, 'id' | 'fileName' | 'split'>[],
  fingerprints: Fingerprints,
  findings: FindingsList,
): Promise<void> {
  let yieldedAt = performance.now();
  for (const [index, image] of seen.entries()) {
    const near = fingerprints.nearBefore(index).flatMap((other) => seen[other] ?? []);
    const leaked = near.find(({ split }) => split !== null && image.split !== null && split !== image.split);
    const [first] = near;
    if (leaked) {
      const sides = `one is ${leaked.split}, the other ${image.split}`;
      findings.add(
        'leakage',
        `looks nearly like image ${leaked.id}, and ${sides}: the measurement is too good`,
        of(image),
      );
    } else if (first) {
      findings.add('near-duplicate', `looks nearly like image ${first.id} (${first.fileName})`, of(image));
    }
    if (performance.now() - yieldedAt < maxBlockingMs) continue;
    await yieldToEventLoop();
    yieldedAt = performance.now();
  }
}
