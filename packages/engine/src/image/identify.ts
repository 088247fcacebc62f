import { EngineError } from '../errors.js';
import type { ImageKind } from './image.js';

/** Names an image's kind by its first bytes alone. Refuses everything that is not an accepted kind. */
export function identifyImage(bytes: Uint8Array): ImageKind {
  if (bytes.length === 0) throw new EngineError('image-empty', 'the image is empty: 0 bytes');
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString(
    'latin1',
  );
  const kind = acceptedKind(head);
  if (kind) return kind;
  const refused = refusedKinds.find(([, matches]) => matches(head))?.[0];
  throw new EngineError(
    'image-unsupported',
    `the file is not an image of a supported kind${refused ? `: it is ${refused}` : ''}; accepted are JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC and BMP`,
  );
}

/** Enough for every signature below, the list of brands of an ISO file included. */
const headBytes = 256;

function acceptedKind(head: string): ImageKind | undefined {
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n') && !head.startsWith('CgBI', 12)) return 'png';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp';
  // The second pair is BigTIFF.
  if (/^(II[*+]\0|MM\0[*+])/.test(head)) return 'tiff';
  if (head.startsWith('ftyp', 4)) return isoKind(head);
  // Many texts begin with "BM": the size of the second header decides.
  if (head.startsWith('BM') && bmpHeaderSizes.some((size) => head.startsWith(size, 14))) return 'bmp';
  return undefined;
}

/** 12 bytes (OS/2) and 40 to 124 (Windows), as 32-bit little-endian numbers. */
const bmpHeaderSizes = [12, 40, 52, 56, 64, 108, 124].map((size) => `${String.fromCharCode(size)}\0\0\0`);

/** AVIF and HEIC share a container (ISO/IEC 23008-12); the brands, major first, distinguish them. */
function isoKind(head: string): ImageKind | undefined {
  const boxBytes = Buffer.from(head.slice(0, 4), 'latin1').readUInt32BE();
  const brands = [head.slice(8, 12)];
  for (let at = 16; at + 4 <= Math.min(boxBytes, head.length); at += 4) brands.push(head.slice(at, at + 4));
  if (brands[0] === 'crx ') return undefined;
  for (const brand of brands) {
    if (brand === 'avif' || brand === 'avis') return 'avif';
    if (/^he[iv][cxms]$/.test(brand)) return 'heic';
  }
  return undefined;
}

/** Kinds that are often sent by mistake, so that the refusal can name them. */
const refusedKinds: readonly (readonly [string, (head: string) => boolean])[] = [
  [
    'a PNG after a transfer as text, such as FTP in ASCII mode: send it in binary mode',
    (head) => ['\x89PNG\r\r\n', '\x89PNG\n', '\tPNG\r\n'].some((start) => head.startsWith(start)),
  ],
  [
    'a PNG as Xcode packs it into apps for iOS (CgBI): send the original, or unpack it with pngcrush -revert-iphone-optimizations',
    (head) => head.startsWith('CgBI', 12),
  ],
  ['a PDF document', (head) => head.startsWith('%PDF')],
  ['a ZIP archive or an office document', (head) => head.startsWith('PK\x03\x04')],
  ['a JPEG XL image', (head) => head.startsWith('\xff\x0a') || head.startsWith('JXL ', 4)],
  ['a JPEG 2000 image', (head) => head.startsWith('jP  ', 4) || head.startsWith('\xff\x4f\xff\x51')],
  ['a Photoshop document', (head) => head.startsWith('8BPS')],
  ['an icon', (head) => head.startsWith('\0\0\x01\0')],
  [
    'a raw file of a camera: send its JPEG, or use a drop',
    (head) =>
      /^(FUJIFILMCCD-RAW|IIU\0|IIR[OS]|MMOR|FOVb|\0MRM)/.test(head) ||
      head.startsWith('HEAPCCDR', 6) ||
      head.startsWith('ftypcrx ', 4),
  ],
  [
    'a video or sound',
    (head) => head.startsWith('ftyp', 4) || head.startsWith('RIFF') || head.startsWith('\x1aE\xdf\xa3'),
  ],
  ['a gzip archive', (head) => head.startsWith('\x1f\x8b')],
  [
    'an SVG drawing',
    (head) => /^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!DOCTYPE svg|<svg)/is.test(stripBom(head)),
  ],
  ['an HTML or XML document', (head) => /^\s*</.test(stripBom(head))],
  [
    'base64 text: send it as a text field of the form, or decode it',
    (head) => /^(data:[^,]*,)?(\/9j\/|iVBORw0KGgo|R0lGOD|UklGR|SUkqA|TU0AK)/.test(stripBom(head).trimStart()),
  ],
  [
    'an image behind other bytes, such as a byte order mark, line ends or headers that a program wrote first: send the image alone',
    (head) => ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n'].some((start) => head.indexOf(start) > 0),
  ],
  [
    'a pointer of Git LFS in place of the image: run git lfs pull, then send the image',
    (head) => head.startsWith('version https://git-lfs'),
  ],
  [
    'what macOS writes beside a file on other disks (AppleDouble): send the file without ._ before its name',
    (head) => head.startsWith('\0\x05\x16\x07'),
  ],
  ['a portable bitmap (PBM, PGM, PPM, PAM): send it as PNG', (head) => /^P[1-7]\s/.test(head)],
  // TGA has no signature in front: a type of pixels, an image of less than 16,384 pixels a side, whole bits a pixel.
  ['a TGA image: send it as PNG', isTga],
  ['a DICOM file: send its image as PNG', (head) => head.startsWith('DICM', 128)],
  ['text', (head) => /^[\t\n\r\x20-\x7e]*$/.test(stripBom(head))],
];

function isTga(head: string): boolean {
  const at = (index: number) => head.charCodeAt(index);
  const isType = [1, 2, 3, 9, 10, 11].includes(at(2)) && at(1) === (at(2) % 8 === 1 ? 1 : 0);
  return isType && at(13) < 64 && at(15) < 64 && [8, 15, 16, 24, 32].includes(at(16));
}

function stripBom(head: string): string {
  return head.startsWith('\xef\xbb\xbf') ? head.slice(3) : head;
}
