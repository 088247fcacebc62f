import { createReadStream } from 'node:fs';
import type { ImageSource } from '@lynceus/engine';

/** An image's own bytes, however it is held. Base64 must be what the inference processes took for such. */
export function readImageContent(source: ImageSource): AsyncIterable<Uint8Array> {
  const held = source.kind === 'bytes' ? piecesOf(source.bytes) : readFile(source.path);
  return source.encoding === 'base64' ? decodePieces(held) : held;
}

/** Bytes that are decoded in one go: a fraction of a millisecond of work. */
const pieceBytes = 64 * 1024;

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Opened when it is read: the error of a file that cannot be opened would end the process before a listener is there. */
async function* readFile(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}

async function* decodePieces(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = '';
  let isFirst = true;
  for await (const piece of pieces) {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    const own = isFirst ? text.replace(/^\s*data:[^,]*,/i, '') : text;
    isFirst = false;
    const symbols = rest + own.replace(/\s+/g, '');
    const whole = symbols.length - (symbols.length % 4);
    yield Buffer.from(symbols.slice(0, whole), 'base64');
    rest = symbols.slice(whole);
  }
  yield Buffer.from(rest, 'base64');
}
