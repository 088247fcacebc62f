import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Classes } from './classes.js';
import type { Dataset, DatasetPicture } from './dataset.js';
import { createFindings, type FindingsList, type FindingsReport } from './findings.js';
import { Fingerprints } from './fingerprints.js';
import type { Pictures } from './pictures.js';

/** Looks through a dataset as it is for what would make a training worse. */
export type CheckDataset = (accountId: number, dataset: Dataset) => Promise<FindingsReport>;

/** Under so many pictures of a class hardly anything is learned. */
export const fewPictures = 5;
/** Detectors see a picture about so large, and boxes under so many pixels of it not at all. */
const seenSidePx = 640;
const tinySidePx = 6;
/** Time between two looks at what else is to be done. */
const longestTurnMs = 5;

export function createCheckDataset({
  classes,
  pictures,
}: {
  readonly classes: Pick<Classes, 'list'>;
  readonly pictures: Pick<Pictures, 'walk'>;
}): CheckDataset {
  return async (accountId, dataset) => {
    const findings = createFindings();
    const known = await classes.list(accountId, dataset.id);
    const shown = new Map(known.map(({ id }) => [id, 0]));
    const fingerprints = new Fingerprints();
    const seen: Pick<DatasetPicture, 'id' | 'fileName' | 'split'>[] = [];
    for await (const batch of pictures.walk(accountId, dataset.id)) {
      for (const picture of batch) {
        const { id, fileName, split, labels } = picture;
        if (!picture.isLabelled)
          findings.add('no-labels', 'nobody said what it shows: it is not trained with', of(picture));
        for (const classId of new Set(labels.map((label) => label.classId))) {
          shown.set(classId, (shown.get(classId) ?? 0) + 1);
        }
        tellTinyBoxes(picture, findings);
        fingerprints.push(picture.fingerprint);
        seen.push({ id, fileName, split });
      }
    }
    await tellNearDuplicates(seen, fingerprints, findings);
    for (const { id, name } of known) {
      const count = shown.get(id) ?? 0;
      if (count >= fewPictures) continue;
      findings.add(
        'few-pictures',
        `the class "${name}" is in ${count} pictures; ${fewPictures} is little, 20 is good`,
      );
    }
    return findings.report();
  };
}

function of({ id, fileName }: Pick<DatasetPicture, 'id' | 'fileName'>) {
  return { file: fileName, pictureId: id };
}

function tellTinyBoxes(picture: DatasetPicture, findings: FindingsList): void {
  const scale = Math.min(1, seenSidePx / Math.max(picture.width, picture.height));
  picture.labels.forEach(({ box }, index) => {
    if (box === null) return;
    const side = scale * Math.min(box.xMax - box.xMin, box.yMax - box.yMin);
    if (side >= tinySidePx) return;
    const message = `box ${index + 1} has a side of ${Math.round(side * 10) / 10} pixels when the picture is ${seenSidePx} large`;
    findings.add('tiny-box', message, of(picture));
  });
}

/** Each picture with the first one that it resembles; across the splits that is leakage. */
async function tellNearDuplicates(
  seen: readonly Pick<DatasetPicture, 'id' | 'fileName' | 'split'>[],
  fingerprints: Fingerprints,
  findings: FindingsList,
): Promise<void> {
  let rested = performance.now();
  for (const [index, picture] of seen.entries()) {
    const near = fingerprints.nearBefore(index).flatMap((other) => seen[other] ?? []);
    const leaked = near.find(
      ({ split }) => split !== null && picture.split !== null && split !== picture.split,
    );
    const [first] = near;
    if (leaked) {
      const sides = `one is ${leaked.split}, the other ${picture.split}`;
      findings.add(
        'leakage',
        `looks nearly like picture ${leaked.id}, and ${sides}: the measurement is too good`,
        of(picture),
      );
    } else if (first) {
      findings.add(
        'near-duplicate',
        `looks nearly like picture ${first.id} (${first.fileName})`,
        of(picture),
      );
    }
    if (performance.now() - rested < longestTurnMs) continue;
    await nextTurn();
    rested = performance.now();
  }
}
