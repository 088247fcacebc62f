import { createReadStream } from 'node:fs';
import { Base64Spaces, type ImageSource } from '@lynceus/engine';

/** An image's own bytes, however it is held. Base64 must be what the inference processes took for such. */
export function readImageContent(source: ImageSource): AsyncIterable<Uint8Array> {
  const read = () => (source.kind === 'bytes' ? piecesOf(source.bytes) : readFile(source.path));
  return source.encoding === 'base64' ? decodePieces(read) : read();
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

/** @param read Called twice: what spaces are is known at the end. */
async function* decodePieces(read: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const spaces = new Base64Spaces();
  for await (const text of textsOf(read())) spaces.push(Buffer.from(text, 'latin1'));
  const arePluses = spaces.arePluses();
  let rest = '';
  let hasBegun = false;
  let open = 0;
  for await (const text of textsOf(read())) {
    let own = text;
    if (arePluses) {
      const begun: string = hasBegun ? text : text.trimStart();
      hasBegun ||= begun !== '';
      const end = endWithoutSpaces(begun);
      // Spaces at the end of a piece are plus signs only if a character follows. Line ends are no such spaces.
      own = end === 0 ? '' : ' '.repeat(open).concat(begun.slice(0, end)).replaceAll(' ', '+');
      open = (end === 0 ? open : 0) + begun.length - end;
    }
    const symbols = rest + own.replace(/\s+/g, '');
    const whole = symbols.length - (symbols.length % 4);
    yield Buffer.from(symbols.slice(0, whole), 'base64');
    rest = symbols.slice(whole);
  }
  yield Buffer.from(rest, 'base64');
}

function endWithoutSpaces(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end -= 1;
  return end;
}

/** The text without what stands before the data. */
async function* textsOf(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    yield isFirst ? text.replace(/^\s*(data:[^,]*,)?\s*/i, '') : text;
    isFirst = false;
  }
}
