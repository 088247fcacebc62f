import { writeFileSync } from 'node:fs';
import { EngineError } from '../errors.js';
import type { FrameSource, ImageKind, ImageLimits } from './image.js';
import { imageOf, type OpenedImage } from './pixel-image.js';
import { checkPixels, type Pixels } from './pixels.js';
import { readImageFile } from './source.js';

/** A decoded image in a file, for another process: RGB, 8 bit, interleaved, without any header. */
export interface SharedPixels {
  readonly kind: 'pixels';
  readonly path: string;
  /** Size in pixels of what the file holds. */
  readonly width: number;
  readonly height: number;
  /** The encoded image; the size is that of the oriented original. */
  readonly image: { readonly kind: ImageKind; readonly width: number; readonly height: number };
}

/**
 * Opens a frame at its full size. Throws EngineError 'image-too-large', 'image-corrupt' where the size is no size or the
 * file has another one, or 'image-empty' where the file is gone.
 */
export function openFrame(frame: FrameSource, limits: ImageLimits): OpenedImage {
  const { width, height } = frame;
  checkPixels(width, height, limits);
  return imageOf('frame', { width, height, pixels: readPixels(frame) });
}

/**
 * Writes an image's pixels into an existing file: if it was removed meanwhile, the pixels are no longer needed,
 * and a new file would be left behind. Throws the errors of writing.
 */
export function writePixels(path: string, { kind, width, height, pixels }: OpenedImage): SharedPixels {
  if (!pixels || kind === 'frame') {
    throw new EngineError('internal', 'the image was not decoded for several processes');
  }
  writeFileSync(path, pixels.data, { flag: 'r+' });
  return {
    kind: 'pixels',
    path,
    width: pixels.width,
    height: pixels.height,
    image: { kind, width, height },
  };
}

/** The image as in the process that wrote it: every raster is the same. */
export function openPixels({ image, ...file }: SharedPixels): OpenedImage {
  const { kind, width, height } = image;
  try {
    return imageOf(kind, { width, height, pixels: readPixels(file) });
  } catch (error) {
    throw new EngineError('internal', 'the shared pixels cannot be read', { cause: error });
  }
}

/** Reads the whole file once; another size than its pixels have is an error before reading. */
function readPixels(file: {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}): Pixels {
  const { path, width, height } = file;
  const checkBytes = (bytes: number) => {
    if (bytes === width * height * 3) return;
    throw new EngineError(
      'image-corrupt',
      `the file has ${bytes} bytes; ${width}x${height} pixels take ${width * height * 3}`,
    );
  };
  const data = readImageFile(path, checkBytes);
  // It may have been cut meanwhile.
  checkBytes(data.byteLength);
  return { data, width, height, channels: 3 };
}
