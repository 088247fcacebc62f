import type { InputGeometry, Label, ModelRef } from '../../catalog/manifest.js';
import { resampling } from '../../image/pixels.js';
import type { Entry } from '../../onnx/proto/model.js';

export interface DetectorFacts {
  readonly title: string;
  readonly labels: readonly Label[];
  readonly input: Extract<InputGeometry, { fit: 'squash' }>;
  readonly backbone: ModelRef;
}

/** What somebody with nothing but the ONNX file needs to know, as `metadata_props`. */
export function metadataOf({ title, labels, input, backbone }: DetectorFacts): Entry[] {
  const { width, height } = input;
  const entries = {
    title,
    labels: JSON.stringify(labels.map((label) => label.title)),
    label_ids: JSON.stringify(labels.map((label) => label.id)),
    input: JSON.stringify(input),
    preprocessing: `The image as it is meant to be seen (turned by its EXIF orientation), RGB, 8 bit, alpha over white; resized by ${resampling} to ${width} x ${height}, the aspect ratio not kept; as uint8 [1,${height},${width},3] in the input "image". Nothing is subtracted or divided.`,
    thresholds:
      'score_threshold f32 [1], 0.4 is a good one; iou_threshold f32 [1], above which of two boxes of a label the lesser is dropped, 0.45 is a good one',
    output:
      'boxes f32 [n,4]: xMin, yMin, xMax, yMax relative to the image, 0 to 1; scores f32 [n], 0 to 1; classes int64 [n], in the order of labels',
    backbone: `${backbone.id} ${backbone.version}`,
  };
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}
