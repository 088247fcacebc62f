import type { ImageKind, ImageLimits } from '../image.js';
import { neededOfGif } from './gif.js';
import { neededOfIso } from './iso.js';
import { neededOfJpeg } from './jpeg.js';
import { neededOfPng } from './png.js';
import { neededOfTiff } from './tiff.js';
import { neededOfWebp } from './webp.js';

/**
 * The bytes of an image that a native decoder needs: its first frame, without metadata that decides no pixel. Throws EngineError
 * 'image-too-complex' for a structure above `bounds`, 'image-too-large' or 'image-unsupported'. Damage is left for the decoder to
 * find.
 */
export function neededBytes(kind: ImageKind, bytes: Uint8Array, limits: ImageLimits): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (kind) {
    case 'jpeg':
      return neededOfJpeg(buffer, limits);
    case 'png':
      return neededOfPng(buffer, limits);
    case 'gif':
      return neededOfGif(buffer, limits);
    case 'webp':
      return neededOfWebp(buffer);
    case 'tiff':
      return neededOfTiff(buffer, limits);
    case 'avif':
    case 'heic':
      return neededOfIso(buffer, limits);
    // Our own decoder reads each byte once.
    case 'bmp':
      return buffer;
  }
}
