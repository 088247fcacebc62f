import { checkBox } from '../check-box.js';
import { type Dataset, type DatasetClass, type ImageLabel, maxClasses, maxLabels } from '../dataset.js';
import type { DatasetProblem } from '../findings.js';
import type { PlannedImage, PlannedLabel } from '../formats/plan.js';
import { type ImageFacts, placeBox } from './place-box.js';

interface LabelFinding {
  readonly problem: DatasetProblem;
  readonly message: string;
  readonly labels: number;
}

/** What a planned image gets. */
export interface UsableLabels {
  /** Null when nothing says what it shows, or when none of what was said can be used. */
  readonly labels: readonly ImageLabel[] | null;
  /** Whether it keeps some labels and lost others. */
  readonly isPartial: boolean;
  /** Each label that is not taken is counted in one of those that refuse. */
  readonly findings: readonly LabelFinding[];
  /** Labels that are taken, but not as they were written. */
  readonly changed: number;
}

/** The labels of a planned image in this dataset. */
export function toLabels(
  planned: PlannedImage,
  image: ImageFacts,
  dataset: Pick<Dataset, 'task' | 'multiLabel'>,
  classes: ReadonlyMap<string, DatasetClass>,
): UsableLabels {
  const findings: LabelFinding[] = [];
  const add = (problem: DatasetProblem, message: string, labels = 0) =>
    findings.push({ problem, message, labels });
  const said = (planned.labels?.length ?? 0) + planned.lost;
  if (planned.labels === null && said === 0) {
    add('no-labels', 'nothing says what it shows: it is there without labels');
    return { labels: null, isPartial: false, findings, changed: 0 };
  }
  const known: KnownLabel[] = [];
  for (const label of planned.labels ?? []) {
    const own = classes.get(label.className.trim());
    if (own) known.push({ label, classId: own.id });
    else {
      const rule = `a name has 1 to 200 characters, a dataset ${maxClasses} classes`;
      add('unknown-class', `"${label.className}" cannot be a class: ${rule}`, 1);
    }
  }
  const { labels, changed, repeated } =
    dataset.task === 'classification'
      ? toClasses(known, dataset.multiLabel, add)
      : { ...toBoxes(known, image, add), repeated: 0 };
  const lost = said - labels.length - repeated;
  const isPartial = labels.length > 0 && (lost > 0 || planned.isIncomplete === true);
  if (isPartial) {
    const reason = lost > 0 ? `${lost} of its ${said} labels cannot be used` : 'it lacks labels';
    add(
      'partly-labelled',
      `${reason}: complete them; until then training takes nothing beside the others for background`,
    );
  }
  if (labels.length > 0 || (said === 0 && planned.isIncomplete !== true))
    return { labels, isPartial, findings, changed };
  const count =
    said === 0
      ? 'it lacks labels'
      : said === 1
        ? 'its label cannot be used'
        : `none of its ${said} labels can be used`;
  add('no-labels', `${count}: it is there without labels`);
  return { labels: null, isPartial: false, findings, changed };
}

type Add = (problem: DatasetProblem, message: string, labels?: number) => void;

interface KnownLabel {
  readonly label: PlannedLabel;
  readonly classId: number;
}

function toClasses(known: readonly KnownLabel[], multiLabel: boolean, add: Add) {
  const classIds = [...new Set(known.map(({ classId }) => classId))];
  if (classIds.length > (multiLabel ? maxLabels : 1)) {
    const names = [...new Set(known.map(({ label }) => label.className))].slice(0, 5).join(', ');
    add('too-many-labels', `it has several classes (${names})`, known.length);
    return { labels: [], changed: 0, repeated: 0 };
  }
  const repeated = known.length - classIds.length;
  if (repeated > 0) add('repeated-label', 'it has a class more than once', repeated);
  return { labels: classIds.map((classId): ImageLabel => ({ classId, box: null })), changed: 0, repeated };
}

function toBoxes(known: readonly KnownLabel[], image: ImageFacts, add: Add) {
  if (known.length > maxLabels) {
    const lost = known.length - maxLabels;
    add('too-many-labels', `it has ${known.length} boxes, and ${maxLabels} are kept`, lost);
  }
  const labels: ImageLabel[] = [];
  const counts = {
    'box-scaled': 0,
    'box-rotated': 0,
    'box-swapped': 0,
    'outline-to-box': 0,
    unclear: 0,
    'no-box': 0,
    'size-differs': 0,
  };
  const messages = new Map<keyof typeof counts, string>();
  const count = (problem: keyof typeof counts, message: string) => {
    counts[problem] += 1;
    messages.set(problem, message);
  };
  let changed = 0;
  for (const [index, { label, classId }] of known.slice(0, maxLabels).entries()) {
    if (label.box === null) {
      count('no-box', `it has the class "${label.className}" and no box`);
      continue;
    }
    const placed = placeBox(label.box, label, image);
    if ('problem' in placed) {
      count(placed.problem, placed.message);
      continue;
    }
    const checked = checkBox(placed.box, image);
    if ('problem' in checked) {
      const hint = hintOf(label);
      add(checked.problem, `box ${index + 1} is left out: ${checked.message}${hint}`, 1);
      continue;
    }
    if (checked.isClipped) add('box-clipped', `box ${index + 1} reached out of the image`, 1);
    const { declared } = label;
    if (placed.isScaled) {
      const sizes = `${declared?.width} x ${declared?.height} to ${image.width} x ${image.height} pixels`;
      count('box-scaled', `boxes are scaled from ${sizes}`);
    }
    if (placed.isRotated) count('box-rotated', 'boxes are rotated as the image is, by its Exif orientation');
    if (label.isSwapped)
      count('box-swapped', 'its left is written right of its right, or its top below its bottom');
    if (placed.isUnclear) {
      count(
        'unclear',
        'whether its boxes are of the image before or after its Exif orientation cannot be known: check them',
      );
    }
    if (label.outline) count('outline-to-box', `the box is that around a ${label.outline}`);
    if (checked.isClipped || placed.isScaled || placed.isRotated || label.outline || label.isSwapped)
      changed += 1;
    labels.push({ classId, box: checked.box });
  }
  for (const [problem, message] of messages) {
    // A label that is taken as it is written is counted in no finding.
    add(problem, message, problem === 'unclear' ? 0 : counts[problem]);
  }
  return { labels, changed };
}

/** What a box that is outside or tiny may be in. */
function hintOf({ box, unit }: PlannedLabel): string {
  const corners = box ? [box.xMin, box.yMin, box.xMax, box.yMax].map(Math.abs) : [];
  if (unit === 'share') {
    return corners.some((corner) => corner > 2)
      ? '; the file seems to be in pixels, and has to be in shares of the sides'
      : '';
  }
  return corners.every((corner) => corner <= 1)
    ? '; the file seems to be in shares of the sides, and has to be in pixels'
    : '';
}
