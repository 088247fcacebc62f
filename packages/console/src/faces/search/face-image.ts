import type { FaceMatches, JudgedFace, LynceusClient } from '@lynceus/client';
import { cropAround, type Rectangle, type Size } from '../box-geometry.js';
import type { ImageSource } from '../enrolment/enrolment-list.js';

/** On each side of a face, in times its longer side. */
const margin = 0.7;
/** Of JPEG: high, for the quality of the face is judged afterwards. */
const quality = 0.95;
/** Of the preview that stands for an image which this page cannot read: the largest there is. */
const maxSide = 4096;

/**
 * An image whose largest face is this one, for the service takes the largest: the searched image itself where it is,
 * else a piece of it. Null where no piece can be cut out.
 */
export async function imageOfFace(
  client: Pick<LynceusClient, 'preview'>,
  source: ImageSource,
  matches: FaceMatches,
  face: JudgedFace,
): Promise<ImageSource | null> {
  const isLargest = matches.faces[0] === face;
  // As it came it is better than a piece of its preview.
  if (isLargest && (matches.faces.length === 1 || 'url' in source)) return source;
  const cut = await cutOut(client, source, matches.image, cropAround(face.box, matches.image, margin));
  return cut ?? (isLargest ? source : null);
}

/** The image as it is meant to be seen, as boxes are: browsers turn it by its orientation, and so does the service. */
async function cutOut(
  client: Pick<LynceusClient, 'preview'>,
  source: ImageSource,
  size: Size,
  { x, y, width, height }: Rectangle,
): Promise<File | null> {
  const bitmap = await readBitmap(client, source).catch(() => null);
  if (!bitmap) return null;
  const scale = bitmap.width / size.width;
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const canvas = new OffscreenCanvas(wide, high);
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, x * scale, y * scale, width * scale, height * scale, 0, 0, wide, high);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  const name = source instanceof File ? source.name.replace(/\.\w+$/, '') : 'face';
  return new File([blob], `${name}.jpg`, { type: blob.type });
}

async function readBitmap(client: Pick<LynceusClient, 'preview'>, source: ImageSource): Promise<ImageBitmap> {
  const own = source instanceof File ? await createImageBitmap(source).catch(() => null) : null;
  return own ?? createImageBitmap((await client.preview(source, { maxSide })).image);
}

/** A face with the image that it was found in. */
export interface SearchedFace {
  readonly face: JudgedFace;
  readonly matches: FaceMatches;
  readonly source: ImageSource;
}
