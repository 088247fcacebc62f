import { EngineError } from '../errors.js';
import type { Box, Point } from './box.js';

export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'bmp';

export function imageMediaType(kind: ImageKind): string {
  return `image/${kind}`;
}

/** The kind of an image that came encoded. Throws EngineError 'internal' for a frame. */
export function encodedKind({ kind }: { readonly kind: ImageKind | 'frame' }): ImageKind {
  if (kind !== 'frame') return kind;
  throw new EngineError('internal', 'a frame of a video has no encoded form');
}

/**
 * The encoded image: in memory, or in a file that the inference process opens. `base64` covers line
 * breaks, both alphabets and a leading `data:…;base64,`; the inference process decodes it.
 */
export type ImageSource = { readonly encoding?: 'binary' | 'base64' } & (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly path: string }
);

/**
 * A decoded image, such as a frame of a video, in a file that inference processes open: RGB, 8 bit, interleaved,
 * `width * height * 3` bytes without any header. The file must stay as it is until the job ends.
 */
export interface FrameSource {
  readonly kind: 'frame';
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

export interface ImageLimits {
  /** Width x height above which an image is refused before it is decoded, or a frame before it is read. */
  readonly maxPixels: number;
  /**
   * Whether damage of a JPEG is looked for beyond what its decoder notices, which costs as much as decoding it: for images that
   * are written to.
   */
  readonly refuseDamage?: boolean;
}

export interface RasterRequest {
  /** The region to read, in pixels of the oriented image, clipped to it; the whole image when absent. */
  readonly region?: Box;
  /** Size of the answer in pixels; the aspect ratio is not kept, and enlarging is allowed. */
  readonly width: number;
  readonly height: number;
}

/** RGB, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A parallelogram of the image, mapped to a rectangle: for example a rotated line of text, or a face set upright. */
export interface PatchRequest {
  /** Sources of three corners of the answer, in pixels of the oriented image. */
  readonly topLeft: Point;
  readonly topRight: Point;
  readonly bottomLeft: Point;
  /** Colour of what lies outside the image; black unless given. */
  readonly outside?: Colour;
  /** Size of the answer in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A decoded image in its EXIF orientation. Exists in an inference process only. */
export interface Image {
  /** How it was encoded; a frame was not. */
  readonly kind: ImageKind | 'frame';
  /** Size of the oriented original in pixels. Every box of every task is in this frame. */
  readonly width: number;
  readonly height: number;
  /** Of Exif, 1 to 8, when it is another than 1: how the pixels are stored. */
  readonly orientation?: number;
  /**
   * RGB, 8 bit, interleaved, `width * height * 3` bytes, the caller's own: alpha over a plain backdrop, CMYK, 16 bit
   * and grey converted.
   */
  raster(request: RasterRequest): Promise<Uint8Array>;
  /** Like `raster`, of a rotated or sheared region; a reduction averages detail instead of skipping it. */
  patch(request: PatchRequest): Promise<Uint8Array>;
}
