import { FormatError, type Tree } from '../formats/plan.js';
import type { OpenTree } from './open-tree.js';

/** Of one file of annotations. */
const maxTextBytes = 128 * 1024 * 1024;

/** The files of a zip or folder as text. */
export function toTree(tree: OpenTree): Tree {
  async function* streamText(path: string): AsyncGenerator<string, void, undefined> {
    let bytes = 0;
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    try {
      for await (const piece of tree.read(path)) {
        bytes += piece.byteLength;
        if (bytes > maxTextBytes) throw new FormatError(`${path} is larger than ${maxTextBytes} bytes`);
        decoder ??= new TextDecoder(encodingOf(piece));
        yield decoder.decode(piece, { stream: true });
      }
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw new FormatError(`${path} is damaged`, { cause: error });
    }
    yield decoder?.decode() ?? '';
  }
  return {
    paths: tree.paths,
    streamText,
    async readText(path) {
      const pieces: string[] = [];
      for await (const piece of streamText(path)) pieces.push(piece);
      return pieces.join('');
    },
  };
}

/** UTF-8, or UTF-16 where the first two bytes say so, as spreadsheets write it. */
function encodingOf([first, second]: Uint8Array): string {
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
}
