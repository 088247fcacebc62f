import { exifDirectory, type Field, tiffHeader } from './exif-block.js';
import { mosaic } from './raw-file.js';

/**
 * Raw files of camera makers with nothing in them but what tells their format and where their JPEG is, as exiftool's tables of
 * tags describe them. They show that the container is understood, and nothing of what else a camera writes.
 */
export const cameraRaws: Readonly<Record<string, (preview: Buffer) => Buffer>> = {
  CR2: canon,
  NEF: (preview) => withSensor(preview, 'NIKON CORPORATION', 34713),
  ARW: (preview) => withSensor(preview, 'SONY', 32767),
  PEF: (preview) => withSensor(preview, 'PENTAX Corporation', 65535),
  RW2: panasonic,
  RAF: fujifilm,
};

/** Behind TIFF's header it names its format, and where the directory of the sensor is; the main one's strip is the preview. */
function canon(preview: Buffer): Buffer {
  const main = (at: number): Field[] => [
    { tag: 0x0103, shorts: [6] },
    { tag: 0x010f, text: 'Canon' },
    { tag: 0x0110, text: 'Canon EOS of ours' },
    { tag: 0x0111, longs: [at] },
    { tag: 0x0112, shorts: [1] },
    { tag: 0x0117, longs: [preview.length] },
  ];
  const sensor = (at: number): Field[] => [
    { tag: 0x0103, shorts: [6] },
    { tag: 0x0111, longs: [at] },
    { tag: 0x0117, longs: [mosaic.length] },
  ];
  const head = Buffer.from('II*\0\x10\0\0\0CR\x02\0\0\0\0\0', 'latin1');
  const sensorAt = head.length + exifDirectory(head.length, main(0)).length;
  const mosaicAt = sensorAt + exifDirectory(sensorAt, sensor(0)).length;
  head.writeUInt32LE(sensorAt, 12);
  return Buffer.concat([
    head,
    exifDirectory(head.length, main(mosaicAt + mosaic.length), sensorAt),
    exifDirectory(sensorAt, sensor(mosaicAt)),
    mosaic,
    preview,
  ]);
}

/** A TIFF with two directories below the main one: the maker's own compression tells the format, the other has the JPEG. */
function withSensor(preview: Buffer, make: string, compression: number): Buffer {
  const main = (jpegAt: number, sensorAt: number): Field[] => [
    { tag: 0x00fe, longs: [1] },
    { tag: 0x010f, text: make },
    { tag: 0x0110, text: 'A camera of ours' },
    { tag: 0x0112, shorts: [1] },
    { tag: 0x014a, longs: [jpegAt, sensorAt] },
  ];
  const jpeg = (at: number): Field[] => [
    { tag: 0x00fe, longs: [1] },
    { tag: 0x0103, shorts: [6] },
    { tag: 0x0201, longs: [at] },
    { tag: 0x0202, longs: [preview.length] },
  ];
  const sensor = (at: number): Field[] => [
    { tag: 0x00fe, longs: [0] },
    { tag: 0x0100, longs: [8] },
    { tag: 0x0101, longs: [8] },
    { tag: 0x0102, shorts: [16] },
    { tag: 0x0103, shorts: [compression] },
    { tag: 0x0106, shorts: [32803] },
    { tag: 0x0111, longs: [at] },
    { tag: 0x0115, shorts: [1] },
    { tag: 0x0116, longs: [8] },
    { tag: 0x0117, longs: [mosaic.length] },
  ];
  const jpegAt = 8 + exifDirectory(8, main(0, 0)).length;
  const sensorAt = jpegAt + exifDirectory(jpegAt, jpeg(0)).length;
  const mosaicAt = sensorAt + exifDirectory(sensorAt, sensor(0)).length;
  return Buffer.concat([
    tiffHeader,
    exifDirectory(8, main(jpegAt, sensorAt)),
    exifDirectory(jpegAt, jpeg(mosaicAt + mosaic.length)),
    exifDirectory(sensorAt, sensor(mosaicAt)),
    mosaic,
    preview,
  ]);
}

/** A TIFF with marks of its own, whose main directory holds the whole JPEG as the value of one tag. */
function panasonic(preview: Buffer): Buffer {
  const fields: Field[] = [
    { tag: 0x0001, bytes: 4, at: () => Buffer.from('0310') },
    { tag: 0x002e, bytes: preview.length, at: () => preview },
    { tag: 0x010f, text: 'Panasonic' },
    { tag: 0x0110, text: 'A camera of ours' },
    { tag: 0x0112, shorts: [1] },
  ];
  const head = Buffer.from('4949550018000000' + '88e774d8f8251d4d947a6e77822b5d6a', 'hex');
  return Buffer.concat([head, exifDirectory(head.length, fields)]);
}

/** A header of fixed places, big end first: at 84 where the JPEG is, at 92 and 100 the same of tags and sensor. */
function fujifilm(preview: Buffer): Buffer {
  const head = Buffer.alloc(160);
  head.write('FUJIFILMCCD-RAW 0201FF000000A camera of ours');
  head.write('0100', 60);
  head.writeUInt32BE(head.length, 84);
  head.writeUInt32BE(preview.length, 88);
  return Buffer.concat([head, preview, mosaic]);
}
