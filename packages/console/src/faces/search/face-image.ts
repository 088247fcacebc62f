import type { FaceMatches, JudgedFace, LynceusClient } from '@lynceus/client';
import { cropAround, type Rectangle, type Size } from '../box-geometry.js';
import type { ImageSource } from '../enrolment/enrolment-list.js';

/** Around a face, as a multiple of its longer side. */
const margin = 0.7;
/** JPEG quality: high, since the quality of the face is checked afterwards. */
const quality = 0.95;
/** The largest preview, for images that the browser cannot read. */
const maxSide = 4096;

/**
 * An image in which this face is the largest, since the service takes the largest: the searched image itself if it is,
 * otherwise a part of it. Null if it cannot be cut out.
 */
export async function imageOfFace(
  client: Pick<LynceusClient, 'preview'>,
  source: ImageSource,
  matches: FaceMatches,
  face: JudgedFace,
): Promise<ImageSource | null> {
  const isLargest = matches.faces[0] === face;
  // The original is better than a part of its preview.
  if (isLargest && (matches.faces.length === 1 || 'url' in source)) return source;
  const cut = await cutOut(client, source, matches.image, cropAround(face.box, matches.image, margin));
  return cut ?? (isLargest ? source : null);
}

/** Boxes refer to the image turned by its orientation; browsers and the service both turn it. */
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
