import { recogniseColumns } from './columns.js';
import type { Evidence, FoundHead } from './evidence.js';
import { recogniseList } from './list.js';
import { recognisePair } from './pair.js';

/** Told by the layout where there is one, else by the shapes of what the net gave. */
export function recogniseDetector(evidence: Evidence): FoundHead | undefined {
  const { options, net } = evidence;
  const layout = options.layout ?? net.hints.layout;
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
