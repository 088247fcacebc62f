import { recogniseColumns } from './columns.js';
import { recogniseList } from './list.js';
import { recognisePair } from './pair.js';
import type { Evidence, FoundHead } from './recognise.js';

/** Told by the layout where there is one, else by the shapes of what the net gave. */
export function recogniseDetector(evidence: Evidence): FoundHead | undefined {
  const { told, net } = evidence;
  const layout = told.layout ?? net.hints.layout;
  switch (layout) {
    case 'yolov5':
    case 'yolov8':
    case 'yolox':
    case 'rows':
      return recogniseColumns(evidence, layout);
    case 'detr':
      return recognisePair(evidence);
    case 'ssd':
      return recogniseList(evidence);
    default:
      return recogniseList(evidence) ?? recognisePair(evidence) ?? recogniseColumns(evidence, undefined);
  }
}

/** Whether boxes are in pixels or parts of the picture. */
export function unitOf(evidence: Evidence, sides: Iterable<number>): 'pixels' | 'relative' {
  const { told } = evidence;
  if (told.boxes?.unit !== undefined) return told.boxes.unit;
  let greatest = 0;
  for (const side of sides) greatest = Math.max(greatest, Math.abs(side));
  return greatest > 3 ? 'pixels' : 'relative';
}
