import { createPauses } from '../../core/work-pauses.js';
import type { Classes } from './classes.js';
import type { Dataset, DatasetImage } from './dataset.js';
import { createFindings, type FindingsList, type FindingsReport } from './findings.js';
import { Fingerprints } from './fingerprints.js';
import { sideOf } from './first-near.js';
import type { Images } from './images.js';
import { findFirstNearInThread } from './near-thread.js';

/** Looks through a dataset as it is for what would make a training worse. */
type CheckDataset = (accountId: number, dataset: Dataset, signal?: AbortSignal) => Promise<FindingsReport>;

/** Under so many images of a class hardly anything is learned. */
export const fewImages = 5;
/** Detectors see an image about so large, and boxes under so many pixels of it not at all. */
const seenSidePx = 640;
const tinySidePx = 6;

export function createCheckDataset({
  classes,
  images,
}: {
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk'>;
}): CheckDataset {
  return async (accountId, dataset, signal) => {
    const pause = createPauses(signal);
    const findings = createFindings();
    const known = await classes.list(accountId, dataset.id);
    const shown = new Map(known.map(({ id }) => [id, 0]));
    const seen: SeenImage[] = [];
    const fingerprints = new Fingerprints();
    for await (const batch of images.walk(accountId, dataset.id)) {
      for (const image of batch) {
        const { id, fileName, split, fingerprint, labels } = image;
        if (!image.isLabelled)
          findings.add('no-labels', 'nobody said what it shows: it is not trained with', of(image));
        if (image.isLabelled && image.isPartlyLabelled)
          findings.add(
            'partly-labelled',
            'an import lost some of its labels: complete them and save',
            of(image),
          );
        for (const classId of new Set(labels.map((label) => label.classId))) {
          shown.set(classId, (shown.get(classId) ?? 0) + 1);
        }
        reportTinyBoxes(image, findings);
        seen.push({ id, fileName, split });
        fingerprints.push(fingerprint);
        await pause();
      }
    }
    await reportNearDuplicates(seen, fingerprints, findings, { pause, signal });
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

type SeenImage = Pick<DatasetImage, 'id' | 'fileName' | 'split'>;

/** Each image with the first one that it resembles; across the splits that is leakage. */
async function reportNearDuplicates(
  seen: readonly SeenImage[],
  fingerprints: Fingerprints,
  findings: FindingsList,
  {
    pause,
    signal,
  }: { readonly pause: () => Promise<void> | undefined; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const sides = Uint8Array.from(seen, ({ split }) => sideOf[split ?? 'none']);
  const { like, leaked } = await findFirstNearInThread(fingerprints.toBits(), sides, signal);
  for (const [place, image] of seen.entries()) {
    report(image, { like: seen[like[place] ?? -1], leaked: seen[leaked[place] ?? -1] }, findings);
    await pause();
  }
}

function report(
  image: SeenImage,
  { like, leaked }: { readonly like: SeenImage | undefined; readonly leaked: SeenImage | undefined },
  findings: FindingsList,
): void {
  if (leaked) {
    const sides = `one is ${leaked.split}, the other ${image.split}`;
    findings.add(
      'leakage',
      `looks nearly like image ${leaked.id}, and ${sides}: the measurement is too good`,
      of(image),
    );
  } else if (like) {
    findings.add('near-duplicate', `looks nearly like image ${like.id} (${like.fileName})`, of(image));
  }
}
