import type { CallOptions } from './options.js';

export interface ThumbnailOptions extends CallOptions {
  /** A JPEG that is neither wider nor higher than so many pixels; the image as it came unless given. */
  readonly width?: 64 | 160 | 320 | 640 | 1280 | undefined;
}

export interface FaceThumbnailOptions extends ThumbnailOptions {
  /** With `width`: a square around the face. */
  readonly crop?: 'face' | undefined;
}
