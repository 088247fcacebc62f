import type { Box } from '@lynceus/engine';
import { checkBox } from '../check-box.js';
import { type Dataset, type DatasetClass, type ImageLabel, maxClasses, maxLabels } from '../dataset.js';
import type { FindingsList } from '../findings.js';
import type { PlannedImage, PlannedLabel } from '../formats/plan.js';

/** What the labels of a planned image are in this dataset; what cannot be used is reported and left out. */
export function toLabels(
  planned: PlannedImage,
  size: { readonly width: number; readonly height: number },
  dataset: Pick<Dataset, 'task' | 'multiLabel'>,
  classes: ReadonlyMap<string, DatasetClass>,
  findings: FindingsList,
): readonly ImageLabel[] | null {
  const of = { file: planned.path };
  if (planned.labels === null) {
    findings.add('no-labels', 'nothing says what it shows: it is there without labels', of);
    return null;
  }
  const known = planned.labels.flatMap((label) => {
    const found = classes.get(label.className.trim());
    if (found) return [{ label, classId: found.id }];
    findings.add(
      'unknown-class',
      `"${label.className}" cannot be a class: a name has 1 to 200 characters, a dataset ${maxClasses} classes`,
      of,
    );
    return [];
  });
  if (dataset.task === 'classification') {
    const classIds = [...new Set(known.map(({ classId }) => classId))];
    if (classIds.length > (dataset.multiLabel ? maxLabels : 1)) {
      const names = [...new Set(known.map(({ label }) => label.className))].slice(0, 5).join(', ');
      findings.add('too-many-labels', `it has several classes (${names}): it is there without labels`, of);
      return null;
    }
    return classIds.map((classId) => ({ classId, box: null }));
  }
  if (known.some(({ label }) => label.box === null)) {
    findings.add('no-labels', 'it has a class and no box: it is there without labels', of);
    return null;
  }
  if (known.length > maxLabels) {
    findings.add('too-many-labels', `it has ${known.length} boxes, and ${maxLabels} are kept`, of);
  }
  return known.slice(0, maxLabels).flatMap(({ label, classId }, index) => {
    const box = toPixels(label, size);
    if (box === null) return [];
    const checked = checkBox(box, size);
    if ('problem' in checked) {
      findings.add(checked.problem, `box ${index + 1} is left out: ${checked.message}`, of);
      return [];
    }
    if (checked.isClipped) findings.add('box-clipped', `box ${index + 1} reached out of the image`, of);
    return [{ classId, box: checked.box }];
  });
}

/** Shares are kept to a ten-thousandth of a pixel, so that what was written from pixels is read as it was. */
function toPixels(
  { box, unit }: PlannedLabel,
  { width, height }: { width: number; height: number },
): Box | null {
  if (box === null || unit === 'pixels') return box;
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    xMin: round(box.xMin * width),
    yMin: round(box.yMin * height),
    xMax: round(box.xMax * width),
    yMax: round(box.yMax * height),
  };
}
