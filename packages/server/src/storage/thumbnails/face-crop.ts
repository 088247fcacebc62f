import { createHash } from 'node:crypto';
import type { Box } from '@lynceus/engine';
import type { ThumbnailRequest } from './thumbnails.js';

/** How much larger than the face the square around it is: hair and chin belong to what people recognise. */
const marginFactor = 1.7;

/** The face of an image of this size, in a square with a margin. */
export function faceCrop(face: {
  readonly width: number;
  readonly height: number;
  readonly box: Box;
}): Required<Pick<ThumbnailRequest, 'variant' | 'region'>> {
  const { xMin, yMin, xMax, yMax } = face.box;
  const half = (Math.max(xMax - xMin, yMax - yMin) * marginFactor) / 2;
  const [x, y] = [(xMin + xMax) / 2, (yMin + yMax) / 2];
  const box = { xMin: x - half, yMin: y - half, xMax: x + half, yMax: y + half };
  // After re-embedding the face may be elsewhere.
  const boxKey = createHash('sha256').update(JSON.stringify(box)).digest('hex').slice(0, 8);
  return {
    variant: `face-${boxKey}`,
    region: { box, imageSidePx: Math.max(face.width, face.height) },
  };
}
