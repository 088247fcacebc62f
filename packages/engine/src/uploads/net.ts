import type { Model } from '../onnx/proto/model.js';
import type { ImageScale } from '../onnx/recipe.js';
import type { DetectorLayout, UploadFamily } from './import-options.js';

/** A net of any format, as an ONNX model with the hints of its file. */
export interface Net {
  /** `onnx`, `tflite`, `tfjs` or `tfjs-layers`. */
  readonly format: string;
  readonly model: Model;
  readonly input: NetInput;
  /** Inputs other than the image, which are constant. */
  readonly constants: readonly NetConstant[];
  readonly outputs: readonly NetOutput[];
  readonly hints: NetHints;
}

export interface NetInput {
  readonly name: string;
  /** `TensorProto.DataType`. */
  readonly type: number;
  readonly order: 'nchw' | 'nhwc';
  readonly channels: 1 | 3;
  /** In pixels; undefined where the file leaves it free. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export interface NetConstant {
  readonly name: string;
  readonly type: number;
  readonly kind: 'mask' | 'size';
  readonly dims: readonly number[];
}

export interface NetOutput {
  readonly name: string;
  /** Name in the original file, for distinguishing scores from classes. */
  readonly title: string;
}

/** Metadata of a file in addition to its graph. */
export interface NetHints {
  readonly labels?: readonly string[];
  readonly family?: UploadFamily;
  readonly layout?: DetectorLayout;
  readonly scale?: ImageScale;
  readonly fit?: 'squash' | 'centre' | 'letterbox';
  readonly side?: number;
  /** Description of the file, for the record: `Ultralytics YOLOv8n`. */
  readonly maker?: string;
}
