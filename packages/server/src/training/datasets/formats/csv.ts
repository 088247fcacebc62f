import { readDescriptions } from './csv-descriptions.js';
import { parseCsv } from './csv-rows.js';
import { indexFiles } from './find-file.js';
import { FormatError, maybeImage, type Plan, splitOf, splitOfFolders, type Tree } from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { PlannedImages } from './planned-images.js';
import { tryRead } from './try-read.js';

/**
 * CSV: a line a label, with a heading (ours, TensorFlow's Object Detection API's and the like, in pixels; Open Images' in shares
 * of the sides) or without one (Google AutoML's and Vertex AI's: set, path, label, and for a box its corners in shares of the
 * sides). A file whose columns cannot be known is passed over when another one names images.
 */
export async function planCsv(tree: Tree): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = indexFiles(paths, tree.masks);
  const images = new PlannedImages();
  const classes = new Set<string>();
  const refusals: FormatError[] = [];
  let read = 0;
  const files = tree.paths.filter((path) => /\.(csv|tsv)$/i.test(path));
  const descriptions = await readDescriptions(tree, files);
  for (const file of files.filter((path) => !descriptions.files.has(path))) {
    const parsed = await tryRead(tree, file, (text) =>
      parseCsv(text, file, (name) => find(name).path !== null),
    );
    if (parsed instanceof FormatError) {
      refusals.push(parsed);
      findings.add('ignored-file', file, parsed.message);
      continue;
    }
    read += 1;
    const { rows, faults, doubts } = parsed;
    for (const message of doubts) findings.add('unclear', file, message);
    for (const message of faults) findings.add('bad-label', file, message, 1);
    for (const { file: name, split, label: given, fault } of rows) {
      const label = given && {
        ...given,
        className: descriptions.names.get(given.className) ?? given.className,
      };
      const said = split ?? splitOf(file);
      const image = find(name, { path: file, split: said });
      const isLost = fault !== null;
      if (isLost) findings.add('bad-label', image.path ?? name, `${file}: ${fault}`, 1);
      if (image.path === null) {
        findings.add('no-image', name, `${file} lists it, and ${image.reason}`, label ? 1 : 0);
        continue;
      }
      if (label) classes.add(label.className);
      images.add(image, file, { split: said, labels: label ? [label] : [], lost: isLost ? 1 : 0 });
    }
  }
  const [refusal] = refusals;
  if (read === 0 && refusal) throw refusal;
  return {
    format: 'csv',
    classes: [...classes],
    images: images.list(paths, findings, splitOfFolders),
    findings: findings.list(),
  };
}
