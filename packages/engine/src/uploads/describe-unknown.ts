import { describe, type Evidence } from './evidence.js';
import { strides } from './grid.js';
import type { UploadFamily } from './import-options.js';

/** Why a model is refused, with the name of what it probably is and what to do. */
export function describeUnknown(evidence: Evidence, family: UploadFamily | undefined): string {
  return `the model gives ${describe(evidence.seen)}, which ${reasonOf(evidence) ?? `fits no ${family ?? 'family'}; ${advice}`}`;
}

const advice =
  'give family (classifier, detector or embedder), and of a detector its layout, or export it with its usual outputs';

function reasonOf({ seen, width, height }: Evidence): string | undefined {
  const cells = strides.map((stride) => [Math.floor(height / stride), Math.floor(width / stride)] as const);
  const isGrid = (dims: readonly number[]) =>
    cells.some(([rows, columns]) =>
      dims.some((side, axis) => axis > 0 && side === rows && dims[axis + 1] === columns),
    );
  const grids = seen.filter(({ dims }) => (dims.length === 5 || dims.length === 4) && isGrid(dims));
  if (grids.length >= 2 || grids.some(({ dims }) => dims.length === 5))
    return (
      "are YOLO's grids before they are decoded; export the model with its last layer (Ultralytics: yolo export format=onnx; " +
      'YOLOv7: export.py --grid), so that it gives [1,n,5+classes] or [1,4+classes,n]'
    );
  const [map, another] = seen.filter(({ dims }) => dims.length === 4);
  if (map === undefined || another !== undefined || seen.length > 1) return undefined;
  const [, channels = 0, rows = 0] = map.dims;
  if (rows === Math.floor(height / 32) && channels > 0 && channels % 5 === 0)
    return 'is a grid of YOLOv2 before it is decoded (older exports of Custom Vision); export the newest iteration with the domain General (compact) [S1], whose boxes are decoded';
  return (
    'is a map with numbers for each place, as of a segmentation, a depth estimate or features; such nets are not supported. ' +
    'Detectors, classifiers and embedders are; of a feature net export the layer after its pooling'
  );
}
