import type { InputGeometry, Label, ModelRef } from '../../catalog/manifest.js';
import { resampling } from '../../image/pixels.js';
import type { Entry } from '../../onnx/proto/model.js';

export interface ModelFacts {
  readonly title: string;
  readonly labels: readonly Label[];
  readonly input: InputGeometry;
  readonly backbone: ModelRef;
  readonly thresholds?: readonly number[];
}

/** What somebody with nothing but the ONNX file needs to know, as `metadata_props`. */
export function metadataOf({ title, labels, input, backbone, thresholds }: ModelFacts): Entry[] {
  const entries = {
    title,
    labels: JSON.stringify(labels.map((label) => label.title)),
    label_ids: JSON.stringify(labels.map((label) => label.id)),
    input: JSON.stringify(input),
    preprocessing: `The image as it is meant to be seen (turned by its EXIF orientation), RGB, 8 bit, alpha over white; ${describeInput(input)}; as uint8 [1,height,width,3] in the input "image". Nothing is subtracted or divided.`,
    output:
      thresholds === undefined
        ? 'probabilities f32 [1,n], in the order of labels; they sum to 1'
        : 'probabilities f32 [1,n], in the order of labels; each counts as shown from its threshold on',
    backbone: `${backbone.id} ${backbone.version}`,
    ...(thresholds && { thresholds: JSON.stringify(thresholds) }),
  };
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}

function describeInput(input: InputGeometry): string {
  switch (input.fit) {
    case 'centre':
      return `its centre square of ${input.fraction} x the shorter side, resized by ${resampling} to ${input.side} x ${input.side}`;
    case 'squash':
      return `resized by ${resampling} to ${input.width} x ${input.height}, the aspect ratio not kept`;
    default:
      return `brought to size as ${JSON.stringify(input)} says`;
  }
}
