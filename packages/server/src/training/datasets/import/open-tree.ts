import {
  type FileTree,
  onGuessedName,
  TreeError,
  type TreeFile,
} from '../../../storage/archive/file-tree.js';
import { openFolderTree } from '../../../storage/archive/open-folder-tree.js';
import { openZipTree } from '../../../storage/archive/open-zip-tree.js';
import { FormatError } from '../formats/plan.js';
import type { TreeLocation } from './messages.js';

/** The files of a zip or folder, by their paths. */
export interface OpenTree {
  readonly paths: readonly string[];
  /** Files that are not read, and why. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
  /** One for all files whose names may be wrong: the first of them, and what to do. */
  readonly guessedNames: { readonly path: string; readonly message: string } | null;
  /** Throws `FormatError` for a path that is not in it; the bytes end in an error when they are damaged. */
  read(path: string): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Of one zip or folder, annotations among them. */
const maxFiles = 120_000;

/** Characters of a path: as many bytes as Linux allows. */
const maxPathLength = 4096;

/** Throws `FormatError` for one that cannot be read. */
export async function openTree({ kind, path }: TreeLocation): Promise<OpenTree> {
  const tree = await (kind === 'zip' ? openZipTree : openFolderTree)(path, maxFiles).catch(refuse);
  const { files, refused, guessed } = await listAll(tree).catch((error: unknown) => {
    tree.close();
    return refuse(error);
  });
  return {
    paths: [...files.keys()].sort(),
    refused,
    guessedNames: toGuessedNames(guessed),
    read(wanted) {
      const file = files.get(wanted);
      if (!file) throw new FormatError(`${wanted} is not in the ${kind}`);
      return file.read();
    },
    close: () => tree.close(),
  };
}

async function listAll(tree: FileTree) {
  const files = new Map<string, TreeFile>();
  const refused: { path: string; message: string }[] = [];
  const guessed: string[] = [];
  for await (const file of tree.files()) {
    if (file.hasGuessedName) guessed.push(file.path);
    const message = file.refusal ?? refusalOf(file, files);
    if (message === null) files.set(file.path, file);
    else refused.push({ path: file.path, message });
  }
  return { files, refused, guessed };
}

function toGuessedNames([path, ...others]: readonly string[]): OpenTree['guessedNames'] {
  if (path === undefined) return null;
  const many = others.length > 0 ? `; so are the names of ${others.length} more` : '';
  return { path, message: `${onGuessedName}${many}` };
}

function refusalOf({ path }: TreeFile, files: ReadonlyMap<string, TreeFile>): string | null {
  if (path.length > maxPathLength) return 'its name is too long';
  return files.has(path) ? 'another entry has its name' : null;
}

function refuse(error: unknown): never {
  throw error instanceof TreeError ? new FormatError(error.message, { cause: error }) : error;
}
