import { constants, deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import { box, type Parts, pngChunk } from './costly-parts.js';

/** One stream of pixels in a PNG, in which more rows than the image has may follow; `bytes` has one IDAT. */
export function pngRowParts(bytes: Buffer): Parts {
  const at = bytes.indexOf('IDAT') + 4;
  const stream = bytes.subarray(at, at + bytes.readUInt32BE(at - 8));
  const open = (data: Buffer) => deflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
  const lastBlock = Buffer.from('0300', 'hex');
  return {
    parts: [
      bytes.subarray(0, at - 8),
      pngChunk('IDAT', Buffer.concat([Buffer.from('7801', 'hex'), open(inflateSync(stream))])),
      pngChunk('IDAT', Buffer.concat([lastBlock, stream.subarray(-4)])),
      pngChunk('IEND', Buffer.alloc(0)),
    ],
    costly: [pngChunk('IDAT', open(Buffer.alloc(64 * 2 ** 20)))],
    join: (all) => Buffer.concat(all),
  };
}

/** The parts are tiles of a TIFF one pixel wide, which share their data. */
export function tiffTileParts(): Parts {
  const side = 4096;
  const data = deflateSync(Buffer.alloc(3 * side * side));
  return {
    parts: [Buffer.alloc(0), Buffer.from([1])],
    costly: [Buffer.from([1])],
    join(all) {
      const tiles = Math.min(65_536, all.length - 1);
      const headBytes = 8 + 2 + 10 * 12 + 4;
      const listAt = headBytes + data.length + (data.length % 2);
      const list = Buffer.alloc(8 * tiles);
      for (let nth = 0; nth < tiles; nth += 1) {
        list.writeUInt32LE(headBytes, 4 * nth);
        list.writeUInt32LE(data.length, 4 * (tiles + nth));
      }
      const where = (offset: number, single: number) => (tiles === 1 ? single : listAt + offset);
      const entries = [
        [256, 1, 1],
        [257, 1, tiles * side],
        [258, 1, 8],
        [259, 1, 8],
        [262, 1, 2],
        [277, 1, 3],
        [322, 1, side],
        [323, 1, side],
        [324, tiles, where(0, headBytes)],
        [325, tiles, where(4 * tiles, data.length)],
      ];
      const bytes = Buffer.alloc(listAt + list.length);
      bytes.write('II*\0\x08\0\0\0', 'latin1');
      bytes.writeUInt16LE(entries.length, 8);
      for (const [nth, [tag = 0, count = 0, value = 0]] of entries.entries()) {
        bytes.writeUInt16LE(tag, 10 + 12 * nth);
        bytes.writeUInt16LE(4, 12 + 12 * nth);
        bytes.writeUInt32LE(count, 14 + 12 * nth);
        bytes.writeUInt32LE(value, 18 + 12 * nth);
      }
      data.copy(bytes, headBytes);
      list.copy(bytes, listAt);
      return bytes;
    },
  };
}

/** The parts are the frames of an AVIF, whose data stands within `meta`. */
export function avifFrameParts(bytes: Buffer): Parts {
  const metaAt = bytes.indexOf('meta') - 4;
  const children: Buffer[] = [];
  for (let at = metaAt + 12; at < metaAt + bytes.readUInt32BE(metaAt); at += bytes.readUInt32BE(at)) {
    children.push(bytes.subarray(at, at + bytes.readUInt32BE(at)));
  }
  const kept = children.filter((child) => child.toString('latin1', 4, 8) !== 'iloc');
  const frame = bytes.subarray(bytes.indexOf('mdat') + 4);
  return {
    parts: [Buffer.alloc(0), frame],
    costly: [frame],
    join(all) {
      const data = Buffer.concat(all);
      const location = Buffer.from('01000000440000010001000100000001', 'hex');
      const extent = Buffer.alloc(8);
      extent.writeUInt32BE(data.length, 4);
      return Buffer.concat([
        bytes.subarray(0, metaAt),
        box('meta', Buffer.alloc(4), ...kept, box('iloc', location, extent), box('idat', data)),
      ]);
    },
  };
}
