import type { ImageKind } from './image.js';

const mediaTypes: Readonly<Record<ImageKind, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
};

export function imageMediaType(kind: ImageKind): string {
  return mediaTypes[kind];
}
