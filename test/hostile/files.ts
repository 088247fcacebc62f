import { deflateSync } from 'node:zlib';

/** A PNG that is small as a file and `width` x `height` pixels of one bit once it is unfolded. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

// Node has its own only from version 22 on.
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** The image of a GIF, shown `frames` times over: `still` must be a GIF of one frame. */
export function longGif(still: Buffer, frames: number): Buffer {
  const first = still.indexOf(0x2c, colourTableEnd(still));
  const frame = still.subarray(first, -1);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const parts = Array.from({ length: frames }, () => [control, frame]).flat();
  return Buffer.concat([still.subarray(0, colourTableEnd(still)), ...parts, Buffer.from([0x3b])]);
}

function colourTableEnd(gif: Buffer): number {
  const flags = gif[10] ?? 0;
  return 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
}

/** Reads a file of this machine and calls home, where a viewer of SVG lets it. */
export const svg = Buffer.from(
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd">]>' +
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">' +
    '<image href="http://127.0.0.2:8000/inside.png" width="64" height="64"/><text>&file;</text></svg>',
);

/** An archive without a file in it, and one that claims to hold one. */
export const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
export const zip = Buffer.concat([
  Buffer.from('PK\x03\x04', 'latin1'),
  Buffer.alloc(26),
  Buffer.from('image.jpg'),
]);

/** 96 x 64 pixels of HEIC: sharp writes none. */
export const heic = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA' +
    'AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAABEgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA' +
    'AGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA' +
    'AAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3Bl' +
    'AAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAEabWRhdAAAAQ4oAa8E+O2e9J12//Au' +
    '///+yjHZf3RFEJ3S6+9we3/5Dn//wTSMZr9bUD266E4TsvGZspceqQuJHFmBiEWZm3Dw7fYjOvDeoWXeUcbyKuSsT2xLkwN8xvms' +
    'wsb+vv9G/fSdv/4x2EJhBZ7hiHkdePNp0qk/x8BrjXSWh1v//47B+h76kcYIcmUFUHdQG/bMpNiYn8jF1+3QVf82A//d3Y/nOZOP' +
    'ei/wYn4TFozfU7o6hkGcQaNpZkqhTkb8dAMhNEnM2qoYRi8ZH9Ygh085pJajdZSSFjx9kwDVyDBWGdC+pWHVIBgNvA1ewLO8yWrP' +
    'JCLo3GJxYX9ot6KyB3VtN0xMb6uwRyUzkSCs//Qw/4A=' +
    '',
  'base64',
);
