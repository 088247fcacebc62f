import type { PictureKind } from './picture.js';

const mediaTypes: Readonly<Record<PictureKind, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
};

export function pictureMediaType(kind: PictureKind): string {
  return mediaTypes[kind];
}
