import type { FaceMatches, JudgedFace } from '@lynceus/client';
import { cropAround, type Rectangle } from '../box-geometry.js';
import type { PictureSource } from '../enrolment/enrolment-list.js';

/** On each side of a face, in times its longer side. */
const margin = 0.7;
/** Of JPEG: high, for the quality of the face is judged afterwards. */
const quality = 0.95;

/**
 * A picture whose largest face is this one, for the service takes the largest: the searched picture itself where it is,
 * else a piece of it. Null where this page cannot cut one out: of an address, or of a kind that browsers do not read.
 */
export async function pictureOfFace(
  source: PictureSource,
  matches: FaceMatches,
  face: JudgedFace,
): Promise<PictureSource | null> {
  if (matches.faces.length === 1) return source;
  const isLargest = matches.faces[0] === face;
  if ('url' in source) return isLargest ? source : null;
  const cut = await cutOut(source, cropAround(face.box, matches.picture, margin));
  return cut ?? (isLargest ? source : null);
}

/** The picture as it is meant to be seen, as boxes are: browsers turn it by its orientation. */
async function cutOut(file: File, { x, y, width, height }: Rectangle): Promise<File | null> {
  const bitmap = await createImageBitmap(file, x, y, width, height).catch(() => null);
  if (!bitmap) return null;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: blob.type });
}
