import type { FileKind } from './file-kind.js';
import type { KeywordSettings } from './keyword-settings.js';

/** Where keywords are written: into the file (IPTC IIM and XMP, or XMP alone), or into a file beside it. */
export type KeywordPlace = 'iptc+xmp' | 'xmp' | 'sidecar';

/** `extension`: what tells exiftool how to write the file, where its content alone would not. */
export interface KeywordTarget {
  readonly place: KeywordPlace;
  readonly extension: string;
}

/** Null: not a picture, and nothing is written. */
export function keywordTarget(file: FileKind, rawFiles: KeywordSettings['rawFiles']): KeywordTarget | null {
  switch (file.kind) {
    case 'picture':
      return { place: pictures[file.picture], extension: file.picture };
    case 'raw': {
      const inside = rawFiles === 'embedded' && file.type !== null ? rawPlaces.get(file.type) : undefined;
      return { place: inside ?? 'sidecar', extension: file.type?.toLowerCase() ?? 'tif' };
    }
    case 'other':
      return null;
  }
}

const pictures = {
  jpeg: 'iptc+xmp',
  tiff: 'iptc+xmp',
  png: 'iptc+xmp',
  webp: 'xmp',
  heic: 'xmp',
  avif: 'xmp',
  gif: 'xmp',
  bmp: 'sidecar',
} as const;

/** The raw formats that exiftool writes and tells by content; it cannot write the others, or not without their names. */
const rawPlaces = new Map<string, KeywordPlace>([
  ['DNG', 'iptc+xmp'],
  ['CR2', 'iptc+xmp'],
  ['NEF', 'iptc+xmp'],
  ['NRW', 'iptc+xmp'],
  ['ARW', 'iptc+xmp'],
  ['ORF', 'iptc+xmp'],
  ['RW2', 'iptc+xmp'],
  ['PEF', 'iptc+xmp'],
  ['CR3', 'xmp'],
]);
