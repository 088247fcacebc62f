import type { PooledBackgrounds } from '../classifier/backgrounds.js';
import type { CropFeatures } from './crop-features.js';
import {
  joinFolds,
  type Unseen,
  type UnseenBackground,
  type UnseenImage,
  type ValidatedFold,
} from './cross-validate.js';
import { looksOf } from './looked-boxes.js';
import { type CropRow, fitSecondLook, raiseOf, type SecondLook } from './second-look.js';

/** Of an image of the customer's without boxes: what was found in it. */
const othersPerImage = 2;
/** Weight of a shipped photograph of weight 1, relative to an image of the customer's without boxes. */
const photoWeight = 0.3;

export interface LookMaterial {
  readonly crops: CropFeatures;
  readonly photos: PooledBackgrounds;
  readonly labels: number;
}

/**
 * Cross-validated answers, in the order of their folds, after a second look by one that was not trained on them.
 * @returns undefined where a fold has too few boxes for one.
 */
export async function lookAgainUnseen(
  folds: readonly ValidatedFold[],
  material: LookMaterial,
): Promise<Unseen | undefined> {
  const found = folds.flatMap(({ images }) => images);
  const images: UnseenImage[] = [];
  const backgrounds: UnseenBackground[] = [];
  for (const [index, fold] of folds.entries()) {
    const seen = new Set(fold.seen);
    const isSeenPhoto = (photo: number) => photo % folds.length !== index;
    const look = await trainSecondLook(
      found.filter(({ image }) => seen.has(image)),
      material,
      isSeenPhoto,
    );
    if (!look) return undefined;
    images.push(...(await lookAgain(fold.images, look, material)));
    for (const background of fold.backgrounds) backgrounds.push(backgroundAgain(background, look, material));
  }
  return { images, backgrounds };
}

/** Cross-validated answers with a second look where there is material for one, else as they are. */
export async function lookAgainOnFolds(
  folds: readonly ValidatedFold[],
  material: LookMaterial | undefined,
): Promise<Unseen> {
  return (material && (await lookAgainUnseen(folds, material))) ?? joinFolds(folds);
}

/** @param found Images to learn of; what was found in those without boxes, by heads that had not seen them, is no object. */
export async function trainSecondLook(
  found: readonly UnseenImage[],
  { crops, photos, labels }: LookMaterial,
  isSeenPhoto: (photo: number) => boolean = () => true,
): Promise<SecondLook | undefined> {
  const rows: CropRow[] = [];
  for (const { image, found: boxes } of found) {
    const { truths } = image;
    if (truths.length > 0) {
      const features = await crops.of(
        image,
        truths.map(({ corners }) => corners),
      );
      for (const [index, { label }] of truths.entries()) rows.push(rowOf(features[index], 1, label));
    } else if (!image.image.isPartlyLabelled) {
      const others = boxes.slice(0, othersPerImage).map(({ corners }) => corners);
      for (const features of await crops.of(image, others)) rows.push(rowOf(features, 1 / others.length));
    }
  }
  const { data, columns } = photos;
  photos.photos.forEach(({ photo, weight }, row) => {
    if (isSeenPhoto(photo))
      rows.push(rowOf(data.subarray(row * columns, (row + 1) * columns), photoWeight * weight));
  });
  return fitSecondLook(rows, labels);
}

function rowOf(features: Float32Array | undefined, weight: number, label?: number): CropRow {
  return { features: features ?? new Float32Array(), weight, ...(label !== undefined && { label }) };
}

/** The logits of boxes that are looked at are raised where the crop shows the label, and lowered where it does not. */
export async function lookAgain(
  images: readonly UnseenImage[],
  look: SecondLook,
  { crops }: Pick<LookMaterial, 'crops'>,
): Promise<UnseenImage[]> {
  const again: UnseenImage[] = [];
  for (const { image, found } of images) {
    const looked = looksOf(found, look);
    const features = await crops.of(
      image,
      looked.map(({ corners }) => corners),
    );
    const raised = looked.map((one, index) => ({
      ...one,
      score: one.score + raiseOf(look, one.label, features[index] ?? new Float32Array()),
    }));
    const rest = found.filter((one) => !looked.includes(one));
    again.push({ image, found: [...raised, ...rest].sort((a, b) => b.score - a.score) });
  }
  return again;
}

/** The same material, which reports each image that is looked at. */
export function countingLooks(material: LookMaterial, onLook: () => void): LookMaterial {
  const { crops } = material;
  const of: CropFeatures['of'] = async (...boxes) => {
    const features = await crops.of(...boxes);
    onLook();
    return features;
  };
  return { ...material, crops: { ...crops, of } };
}

/** A shipped photograph has no pixels: its whole stands for the part where the highest box is. */
function backgroundAgain(
  background: UnseenBackground,
  look: SecondLook,
  { photos }: Pick<LookMaterial, 'photos'>,
): UnseenBackground {
  const row = photos.photos.findIndex(({ photo }) => photo === background.photo);
  if (row < 0 || background.highest < look.leastLogit) return background;
  const features = photos.data.subarray(row * photos.columns, (row + 1) * photos.columns);
  return { ...background, highest: background.highest + raiseOf(look, background.label, features) };
}
