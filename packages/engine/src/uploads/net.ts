import type { Model } from '../onnx/proto/model.js';
import type { ImageScale } from '../onnx/recipe.js';
import type { DetectorLayout, UploadFamily } from './import-options.js';

/** A net of any format, as an ONNX model with what its file tells about it. */
export interface Net {
  /** `onnx`, `tflite`, `tfjs` or `tfjs-layers`. */
  readonly format: string;
  readonly model: Model;
  readonly input: NetInput;
  /** Inputs beside the image that are always fed the same. */
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
  /** In pixels; undefined where the file leaves it open. */
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
  /** Under which the file's maker knows it, for telling scores from classes. */
  readonly title: string;
}

/** What a file says of itself beyond its graph. */
export interface NetHints {
  readonly labels?: readonly string[];
  readonly family?: UploadFamily;
  readonly layout?: DetectorLayout;
  readonly scale?: ImageScale;
  readonly fit?: 'squash' | 'centre' | 'letterbox';
  readonly side?: number;
  /** Says what the file is, for the record: `Ultralytics YOLOv8n`. */
  readonly maker?: string;
}
