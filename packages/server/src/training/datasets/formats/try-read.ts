import { FormatError, type Tree } from './plan.js';

/** The text of a file as a format reads it, or why it cannot be read: one such file does not end the import of the others. */
export async function tryRead<T>(
  tree: Tree,
  path: string,
  parse: (text: string) => T,
): Promise<T | FormatError> {
  try {
    return parse(await tree.readText(path));
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}
