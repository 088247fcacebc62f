import type { DatasetProblem } from '../findings.js';
import type { Plan, PlanFinding, PlannedImage, PlannedLabel } from '../formats/plan.js';

// The service reads what the process sends in a few milliseconds a message, whatever the annotations hold.

/** Findings that are sent; a file of annotations can have as many as it has lines. */
const maxFindings = 5000;
/** Longer than any name of a class may be. */
const maxTextLength = 500;
/** Names of classes that are sent; a dataset has fewer. */
const maxClasses = 10_000;
/** Of one image, and of one message; a dataset keeps fewer of an image. */
const maxLabelsSent = 2000;

/** The plan with texts and lists that are cut where a dataset could not take them anyway. */
export function boundPlan(plan: Plan): Plan {
  const tooMany: PlanFinding[] = [];
  const images = plan.images.map((image) => {
    const { path, labels } = image;
    if (labels === null) return image;
    const left = Math.max(0, labels.length - maxLabelsSent);
    if (left > 0) {
      const message = `it has ${labels.length} labels, and ${maxLabelsSent} are read`;
      tooMany.push({ problem: 'too-many-labels', file: path, message, labels: left });
    }
    return { ...image, labels: labels.slice(0, maxLabelsSent).map(boundLabel), lost: image.lost + left };
  });
  return {
    ...plan,
    images,
    classes: plan.classes.slice(0, maxClasses).map(cut),
    unlabelled: (plan.unlabelled ?? []).slice(0, maxClasses).map(cut),
    findings: boundFindings([...tooMany, ...plan.findings]),
  };
}

/** Those beyond the first become one of each problem, which counts their labels. */
function boundFindings(findings: readonly PlanFinding[]): readonly PlanFinding[] {
  const others = new Map<DatasetProblem, number>();
  for (const { problem, labels } of findings.slice(maxFindings)) {
    others.set(problem, (others.get(problem) ?? 0) + labels);
  }
  return [
    ...findings.slice(0, maxFindings).map(({ file, message, ...finding }) => ({
      ...finding,
      file: file && cut(file),
      message: cut(message),
    })),
    ...[...others].map(([problem, labels]) => ({
      problem,
      file: null,
      message: `more of these, beyond the first ${maxFindings} findings`,
      labels,
    })),
  ];
}

/** Characters of one message. */
const maxTextSent = 100_000;

/** Items from a place on that fit into one message, one at least. */
export function itemsFrom<T>(items: readonly T[], from: number, lengthOf: (item: T) => number): readonly T[] {
  let length = 0;
  const rest = items.slice(from, from + maxFindings);
  const end = rest.findIndex((item) => {
    length += lengthOf(item);
    return length > maxTextSent;
  });
  return end < 0 ? rest : rest.slice(0, Math.max(1, end));
}

/** Images of the plan from a place on: as many as are asked for, or fewer when they have many labels, but one at least. */
export function portionOf(
  images: readonly PlannedImage[],
  { from, count }: { readonly from: number; readonly count: number },
): readonly PlannedImage[] {
  let [to, labels] = [from, 0];
  do {
    labels += images[to]?.labels?.length ?? 0;
    to += 1;
  } while (to < from + count && labels + (images[to]?.labels?.length ?? 0) <= maxLabelsSent);
  return images.slice(from, to);
}

function boundLabel(label: PlannedLabel): PlannedLabel {
  return label.className.length <= maxTextLength ? label : { ...label, className: cut(label.className) };
}

export function cut(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;
}
