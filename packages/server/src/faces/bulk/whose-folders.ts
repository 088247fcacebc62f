import { toName } from '../../accounts/names.js';
import { isImageName } from '../../storage/archive/image-name.js';
import type { ImageTree } from './image-tree.js';

/** Whose the files of a tree are. */
export type WhoseFolders = Awaited<ReturnType<typeof findWhoseFolders>>;

export type Whose = { readonly name: string } | { readonly refusal: string };

/**
 * A person's folder is the first on the way down that holds an image itself, judged by the ending of the name: folders
 * around people hold none, and folders in a person's folder are that person's. Two folders of one name, which may be two people
 * or albums of one, are nobody's.
 */
export async function findWhoseFolders(tree: ImageTree) {
  const holding = new Set<string>();
  let files = 0;
  for await (const file of tree.list()) {
    files += 1;
    const folder = folderOf(file.path);
    if ('read' in file && folder !== '' && isImageName(file.path)) holding.add(folder);
  }

  const firstHolding = (folder: string): string | undefined => {
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1)) {
      const outer = folder.slice(0, end);
      if (holding.has(outer)) return outer;
    }
    return holding.has(folder) ? folder : undefined;
  };

  const owned = new Set([...holding].map((folder) => firstHolding(folder) ?? folder));
  const byName = new Map<string, string>();
  const twice = new Map<string, readonly [string, string]>();
  for (const folder of owned) {
    const name = nameOf(folder);
    const other = name === null ? undefined : byName.get(name);
    if (name === null) continue;
    if (other === undefined) byName.set(name, folder);
    else twice.set(name, [other, folder]);
  }

  return {
    /** All files, those among them that are refused too. */
    files,
    /** Folders that are a person's. */
    people: byName.size,
    whose(path: string): Whose {
      const folder = firstHolding(folderOf(path));
      if (folder === undefined) return { refusal: 'it is in no folder named by a person' };
      const name = nameOf(folder);
      if (name === null) {
        return { refusal: 'the name of its folder is no name: 1 to 200 characters, no control characters' };
      }
      const pair = twice.get(name);
      if (pair === undefined) return { name };
      return {
        refusal: `two folders have this name, ${pair.join(' and ')}: put them together or rename one; were they folders within a person's, put one image right into that person's folder`,
      };
    },
  };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(folder: string): string | null {
  return toName(folder.slice(folder.lastIndexOf('/') + 1));
}
