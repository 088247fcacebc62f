import { FormatError, type Tree } from '../formats/plan.js';
import { TextPieces } from './decode-text.js';
import type { OpenTree } from './open-tree.js';

/** Of one file of annotations. */
const maxTextBytes = 128 * 1024 * 1024;

/**
 * The files of a zip or folder as text.
 * @param onGuess called for a file whose encoding had to be guessed
 */
export function toTree(tree: OpenTree, onGuess: (path: string, encoding: string) => void): Tree {
  async function* streamText(path: string): AsyncGenerator<string, void, undefined> {
    let bytes = 0;
    const pieces = new TextPieces();
    try {
      for await (const piece of tree.read(path)) {
        bytes += piece.byteLength;
        if (bytes > maxTextBytes) throw new FormatError(`${path} is larger than ${maxTextBytes} bytes`);
        yield pieces.push(piece);
      }
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw new FormatError(`${path} is damaged`, { cause: error });
    }
    yield pieces.end();
    if (pieces.guess !== null) onGuess(path, pieces.guess);
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
