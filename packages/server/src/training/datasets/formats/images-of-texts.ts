import { type FoundFile, folderOf, type NoFile, notThere, severalFiles } from './find-file.js';
import { PathBranches } from './path-branches.js';
import { baseOf, stemOf } from './plan.js';

/**
 * Finds the image of a text file that is called as it: beside the file, else in the folder that mirrors its own (`label_2` and
 * `image_2`), else the only one of its stem below the parent of its folder. Another folder may be of another split, or of depths.
 */
export function indexImagesOfTexts(paths: readonly string[]): (file: string) => FoundFile | NoFile {
  const exact = indexStems(paths, (text) => text);
  const folded = indexStems(paths, (text) => text.toLowerCase());
  return (file) => {
    const own = exact(file);
    const candidates = own ?? folded(file);
    const { paths: chosen, matched } = candidates?.choose(file) ?? { paths: [], matched: 0 };
    const [path] = chosen.slice(0, 1);
    if (path === undefined) return notThere;
    if (chosen.length > 1) return severalFiles(chosen);
    const name = [own ? baseOf(path).normalize('NFC') : stemOf(file)];
    return { path, otherCase: own ? null : stemOf(file), name, matched };
  };
}

/** Images of one stem, in any folders. */
class ImagesOfStem {
  readonly #byFolder = new Map<string, string[]>();
  readonly #byFirstParts: PathBranches;

  constructor(paths: readonly string[]) {
    this.#byFirstParts = new PathBranches(paths, 'first');
    for (const path of paths) {
      const list = this.#byFolder.get(folderOf(path));
      if (list) list.push(path);
      else this.#byFolder.set(folderOf(path), [path]);
    }
  }

  /** `matched` is greater the surer it is that they are of the file. */
  choose(file: string): { readonly paths: readonly string[]; readonly matched: number } {
    const folder = folderOf(file);
    const mirrored = folder.replace(/(^|\/)label(?=[^/]*\/)(?!.*\/label)/i, '$1image');
    const beside = this.#byFolder.get(folder);
    if (beside) return { paths: beside, matched: 3 };
    const opposite = this.#byFolder.get(mirrored);
    if (opposite) return { paths: opposite, matched: 2 };
    const parent = folder.split('/').slice(0, -2);
    const below = this.#byFirstParts.follow(parent.map((part) => part.normalize('NFC')));
    return { paths: below.depth === parent.length ? below.paths : [], matched: 1 };
  }
}

function indexStems(paths: readonly string[], toKey: (text: string) => string) {
  const keyOf = (path: string) => toKey(stemOf(path).normalize('NFC'));
  const byStem = new Map<string, string[]>();
  for (const path of paths) {
    const list = byStem.get(keyOf(path));
    if (list) list.push(path);
    else byStem.set(keyOf(path), [path]);
  }
  const images = new Map([...byStem].map(([stem, own]) => [stem, new ImagesOfStem(own)]));
  return (file: string) => images.get(keyOf(file));
}
