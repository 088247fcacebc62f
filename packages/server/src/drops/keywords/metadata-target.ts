import type { FileKind } from './file-kind.js';
import type { KeywordSettings } from './keyword-settings.js';

/** Where keywords are written: into the file (IPTC IIM and XMP, or XMP alone), or into a file beside it. */
export type MetadataTarget = 'iptc+xmp' | 'xmp' | 'sidecar';

/** `extension`: what tells exiftool how to write the file, where its content alone would not. */
interface KeywordTarget {
  readonly metadataTarget: MetadataTarget;
  readonly extension: string;
}

/** Null: not an image, and nothing is written. */
export function keywordTarget(file: FileKind, rawFiles: KeywordSettings['rawFiles']): KeywordTarget | null {
  switch (file.kind) {
    case 'image':
      return { metadataTarget: images[file.image], extension: file.image };
    case 'raw': {
      const inside = rawFiles === 'embedded' && file.type !== null ? rawTargets.get(file.type) : undefined;
      return { metadataTarget: inside ?? 'sidecar', extension: file.type?.toLowerCase() ?? 'tif' };
    }
    case 'sidecar':
      return { metadataTarget: 'xmp', extension: 'xmp' };
    case 'other':
      return null;
  }
}

const images = {
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
const rawTargets = new Map<string, MetadataTarget>([
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
