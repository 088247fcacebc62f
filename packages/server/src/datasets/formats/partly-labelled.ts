import { baseOf, type PlannedImage, type Tree } from './plan.js';

/**
 * Beside what a format says, the paths of the images whose labels are not complete, one a line: no format has a place for it, and
 * whoever reads the others only would take what they do not name for background.
 */
export const partlyLabelledFile = 'partly-labelled.txt';

/** The tree without such a file, and what it says of images. */
export async function readPartlyLabelled(tree: Tree) {
  const listed = new Set<string>();
  const isList = (path: string) => baseOf(path) === partlyLabelledFile;
  for (const file of tree.paths.filter(isList)) {
    const folder = file.slice(0, -partlyLabelledFile.length);
    for (const line of (await tree.readText(file)).split(/\r?\n/))
      listed.add((folder + line).normalize('NFC'));
  }
  return {
    rest: { ...tree, paths: tree.paths.filter((path) => !isList(path)) },
    mark: (image: PlannedImage): PlannedImage =>
      listed.has(image.path.normalize('NFC')) ? { ...image, isIncomplete: true } : image,
  };
}
