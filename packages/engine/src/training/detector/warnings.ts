import type { Label } from '../../catalog/manifest.js';
import type { DetectorReport, TrainingWarning } from './detector-report.js';
import type { ExtractedImage } from './extract-anchors.js';
import { overlap } from './overlap.js';

const fewImages = 10;
/** In pixels of the backbone's input: a smaller object covers less than a cell of its finest feature map. */
const tinyPx = 16;
/** Gain of AP50 from half of the images to all of them from which more images are recommended. */
const worthwhileGain = 0.02;
const manyFalseBoxes = 0.1;

interface WarningFacts {
  readonly images: readonly ExtractedImage[];
  readonly labels: readonly Label[];
  readonly inputPx: { readonly width: number; readonly height: number };
  readonly hasShippedBackgrounds: boolean;
  readonly report: Omit<DetectorReport, 'warnings' | 'seconds'>;
}

/** Warnings for the user of a training run, each with what to do. */
export function findWarnings(facts: WarningFacts): TrainingWarning[] {
  const { images, labels, report } = facts;
  const warnings: TrainingWarning[] = [];
  const warn = (code: TrainingWarning['code'], message: string) => warnings.push({ code, message });
  const trainingImages = images.filter(({ image }) => image.split === 'train');
  labels.forEach(({ title }, label) => {
    const showing = trainingImages.filter(({ truths }) =>
      truths.some((truth) => truth.label === label),
    ).length;
    if (showing === 0)
      warn(
        'label-not-learnt',
        `no training image shows "${title}", so that it is never found; add images of it`,
      );
    else if (showing < fewImages)
      warn(
        'few-images',
        `"${title}" has ${showing} training images; the figures are rough below ${fewImages}, and 40 are better`,
      );
    if (showing > 0 && report.labels[label]?.figures === null)
      warn(
        'label-not-measured',
        `no measured image shows "${title}": nothing is known of how well it is found; hold out some`,
      );
  });
  const boxes = images.flatMap(({ truths }) => truths);
  const tiny = boxes.filter(
    ({ corners: [xMin, yMin, xMax, yMax] }) =>
      Math.min((xMax - xMin) * facts.inputPx.width, (yMax - yMin) * facts.inputPx.height) < tinyPx,
  ).length;
  if (tiny > 0) {
    warn(
      'tiny-boxes',
      `${tiny} of ${boxes.length} boxes are under ${tinyPx} pixels when the image is brought to ` +
        `${facts.inputPx.width}x${facts.inputPx.height}: too small to be found; cut images closer around the things, ` +
        'for training and for predictions',
    );
  }
  const beyond = countUnreachable(images);
  if (beyond > 0) {
    warn(
      'unreachable-boxes',
      `no anchor comes half way to ${beyond} of ${boxes.length} labelled boxes, so that they cannot be found: too small, ` +
        'very long, or not where the thing is',
    );
  }
  if (!facts.hasShippedBackgrounds)
    warn(
      'no-shipped-backgrounds',
      'the backgrounds that come with the program are of another version of the backbone and were left out; ' +
        'add images without boxes, or expect false ones',
    );
  const { own, shipped } = report.falseBoxes;
  for (const { images: count, share } of [own, shipped]) {
    if (share !== null && count >= 10 && share > manyFalseBoxes) {
      warn(
        'many-false-boxes',
        `${Math.round(share * 100)} % of ${count} images without a label get a box; add images like those that will be ` +
          'asked about, without boxes',
      );
      break;
    }
  }
  const [half, all] = report.byImages.slice(-2);
  if (half && all && all.ap50 - half.ap50 > worthwhileGain)
    warn(
      'more-images-help',
      `from ${half.images} to ${all.images} images AP50 grew by ${(all.ap50 - half.ap50).toFixed(2)}: more will help`,
    );
  const partly = images.filter(({ image }) => image.isPartlyLabelled).length;
  if (partly > 0)
    warn(
      'partly-labelled',
      `${partly} images lack labels that an import could not read: what is beside their labels is no background for the training, and ` +
        'they are not measured with; complete their labels',
    );
  if (report.refused.length > 0)
    warn(
      'images-refused',
      `${report.refused.length} images could not be opened and were left out; see "refused"`,
    );
  return warnings;
}

function countUnreachable(images: readonly ExtractedImage[]): number {
  let unreachable = 0;
  for (const image of images) {
    if (image.truths.length === 0) continue;
    const { corners } = image.anchors();
    for (const truth of image.truths) {
      let best = 0;
      for (let index = 0; index < corners.length / 4; index++)
        best = Math.max(best, overlap(corners, index, truth.corners));
      if (best < 0.5) unreachable++;
    }
  }
  return unreachable;
}
