import sharp from 'sharp';
import { exifDirectory, tiffHeader } from './exif-block.js';

export interface CameraJpeg {
  readonly bytes: Buffer;
  readonly thumbnail: Buffer;
  /** The second image, as the Multi-Picture Format describes it. */
  readonly second: Buffer;
  /** What a phone hangs behind the image: a film of the moment. */
  readonly film: Buffer;
}

/**
 * A JPEG as cameras and phones make them: turned by EXIF, with a maker's notes, a thumbnail, a profile, XMP of other
 * programs, a second image (CIPA DC-007) and a film behind it. The image: as it is stored, which is turned by 90 degrees.
 */
export async function cameraJpeg(image?: Buffer): Promise<CameraJpeg> {
  const drawn = (red: number, width: number) =>
    sharp({ create: { width, height: 40, channels: 3, background: { r: red, g: 90, b: 40 } } });
  const thumbnail = await drawn(200, 16).jpeg().toBuffer();
  const second = await drawn(90, 48).jpeg().toBuffer();
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'latin1'), noise(2000)]);
  const plain = await (image ? sharp(image) : drawn(20, 64)).withIccProfile('p3').jpeg().toBuffer();
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifWith(thumbnail)]));
  const xmp = segment(
    0xe1,
    Buffer.from(`http://ns.adobe.com/xap/1.0/\0${foreignXmp(film.length)}`, 'latin1'),
  );
  const head = [plain.subarray(0, 2), exif, xmp];
  const rest = plain.subarray(2);
  const mpfBytes = segment(0xe2, mpfWith(0, 0, 0)).length;
  const firstBytes = Buffer.concat([...head, rest]).length + mpfBytes;
  // Its offsets count from behind marker, length and four letters.
  const mpfBase = Buffer.concat(head).length + 8;
  const mpf = segment(0xe2, mpfWith(firstBytes, second.length, firstBytes - mpfBase));
  return { bytes: Buffer.concat([...head, mpf, rest, second, film]), thumbnail, second, film };
}

function exifWith(thumbnail: Buffer): Buffer {
  const makerNote = { tag: 0x927c, bytes: canonNotes(0).length, at: canonNotes };
  const exifFields = [{ tag: 0x9003, text: '2026:05:04 03:02:01' }, makerNote] as const;
  const mainFields = (exifAt: number) =>
    [
      { tag: 0x010f, text: 'Canon' },
      { tag: 0x0110, text: 'A camera of ours' },
      { tag: 0x0112, shorts: [6] },
      { tag: 0x8298, text: 'A name in the rights' },
      { tag: 0x8769, longs: [exifAt] },
    ] as const;
  const exifAt = 8 + exifDirectory(8, mainFields(0)).length;
  const thumbnailDirectoryAt = exifAt + exifDirectory(exifAt, exifFields).length;
  const thumbnailFields = (at: number) =>
    [
      { tag: 0x0103, shorts: [6] },
      { tag: 0x0201, longs: [at] },
      { tag: 0x0202, longs: [thumbnail.length] },
    ] as const;
  const thumbnailAt = thumbnailDirectoryAt + exifDirectory(thumbnailDirectoryAt, thumbnailFields(0)).length;
  return Buffer.concat([
    tiffHeader,
    exifDirectory(8, mainFields(exifAt), thumbnailDirectoryAt),
    exifDirectory(exifAt, exifFields),
    exifDirectory(thumbnailDirectoryAt, thumbnailFields(thumbnailAt)),
    thumbnail,
  ]);
}

/** Canon's notes: a directory whose offsets count from the beginning of the EXIF block, so that moving it breaks it. */
function canonNotes(offset: number): Buffer {
  return exifDirectory(offset, [
    { tag: 0x0006, text: 'Canon of our own making' },
    { tag: 0x0007, text: 'Firmware Version 1.0.0' },
    { tag: 0x0009, text: 'An owner with a long name' },
  ]);
}

function mpfWith(firstBytes: number, secondBytes: number, secondAt: number): Buffer {
  const entries = Buffer.alloc(32);
  entries.writeUInt32LE(0x030000, 0);
  entries.writeUInt32LE(firstBytes, 4);
  entries.writeUInt32LE(0, 16);
  entries.writeUInt32LE(secondBytes, 20);
  entries.writeUInt32LE(secondAt, 24);
  return Buffer.concat([
    Buffer.from('MPF\0', 'latin1'),
    tiffHeader,
    exifDirectory(8, [
      { tag: 0xb000, bytes: 4, at: () => Buffer.from('0100') },
      { tag: 0xb001, longs: [2] },
      { tag: 0xb002, bytes: 32, at: () => entries },
    ]),
  ]);
}

function foreignXmp(filmBytes: number): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:ours="urn:example:ours" xmp:Rating="4"
 GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="${filmBytes}" ours:Shelf="B 12">
<dc:subject><rdf:Bag><rdf:li>Harbour</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

function noise(bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7919 + 13) % 251));
}
