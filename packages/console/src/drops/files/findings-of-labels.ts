import type { DropLabels } from '@lynceus/client';
import { cornersOfBox, type Finding } from '../../kit/image/finding.js';

type Box = DropLabels['objects'][number]['box'];

/** What was found in a drop's file, as it is drawn and listed. */
export function findingsOfLabels({ objects, faces, texts, classes }: DropLabels): readonly Finding[] {
  const found = (kind: Finding['kind'], index: number, label: string, score: number, box: Box | null) => ({
    id: `${kind}-${index}`,
    kind,
    label,
    score,
    details: [],
    corners: box === null ? null : cornersOfBox(box.x_min, box.y_min, box.x_max, box.y_max),
  });
  return [
    ...objects.map(({ title, score, box }, index) => found('object', index, title, score, box)),
    ...faces.map(({ person, score, box }, index) =>
      found('face', index, person?.name ?? '', person?.similarity ?? score, box),
    ),
    ...texts.map(({ text, score }, index) => found('text', index, text, score, null)),
    ...classes.map(({ title, score }, index) => found('class', index, title, score, null)),
  ];
}
