import { folderOf } from './find-file.js';
import { baseOf, FormatError, maybeImage, type PlannedImage, type Tree } from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { tryRead } from './try-read.js';

/**
 * Beside what a format says, the paths of the images whose labels are not complete, one a line: no format has a place for it, and
 * whoever reads the others only would take what they do not name for background.
 */
export const partlyLabelledFile = 'partly-labelled.txt';

/** The tree without such files, what they say of images, and a finding of each that cannot be read. */
export async function readPartlyLabelled(tree: Tree) {
  const findings = new PlanFindings();
  const images = new Set(tree.paths.filter(maybeImage).map((path) => path.normalize('NFC')));
  const lists = new Set<string>();
  const listed = new Set<string>();
  for (const file of tree.paths.filter((path) => baseOf(path) === partlyLabelledFile)) {
    const read = await tryRead(tree, file, (text) =>
      text.split(/\r?\n/).map((line) => (folderOf(file) + line).normalize('NFC')),
    );
    if (read instanceof FormatError) {
      lists.add(file);
      findings.add('ignored-file', file, read.message);
      continue;
    }
    // An image may be called so, and have its labels in a file of this name.
    const own = read.filter((path) => images.has(path));
    if (own.length > 0) lists.add(file);
    for (const path of own) listed.add(path);
  }
  return {
    rest: { ...tree, paths: tree.paths.filter((path) => !lists.has(path)) },
    mark: (image: PlannedImage): PlannedImage =>
      listed.has(image.path.normalize('NFC')) ? { ...image, isIncomplete: true } : image,
    findings: findings.list(),
  };
}
