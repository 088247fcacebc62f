import type { Model } from '../onnx/proto/model.js';
import type { ImageScale } from '../onnx/recipe.js';
import type { DetectorLayout, UploadFamily } from './import-options.js';
import type { LoneColumn } from './label-table.js';

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
  /** False for a net that takes one image [3,h,w] without an axis of images. */
  readonly hasBatch: boolean;
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
  /** The step of the graph that gives it, seen through steps that change no numbers; undefined where it is another. */
  readonly last?: LastStep;
  /** Declared with whole numbers of 32 or 64 bits. */
  readonly isInteger?: boolean;
}

/**
 * `linear`: a product with weights, so that the numbers are logits. `top-k`: the greatest numbers or their indices, sorted. `arg-max`: the
 * number of the best class. `one-hot`: 1 for it, and 0 for the others.
 */
export type LastStep = 'sigmoid' | 'softmax' | 'linear' | 'top-k' | 'arg-max' | 'one-hot';

/** Metadata of a file in addition to its graph. */
export interface NetHints {
  readonly labels?: readonly string[];
  /** What the labels are with and without the first line of their file, which may be a heading. */
  readonly labelColumn?: LoneColumn | undefined;
  /** What was assumed about the lines of the labels' file. */
  readonly labelNote?: string | undefined;
  readonly family?: UploadFamily;
  readonly layout?: DetectorLayout;
  readonly scale?: ImageScale;
  readonly fit?: 'squash' | 'centre' | 'letterbox';
  /** Of the shorter side, for `centre`. */
  readonly fraction?: number;
  /** In pixels, where the graph leaves it free. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Description of the file, for the record: `Ultralytics YOLOv8n`. */
  readonly maker?: string;
  readonly ultralytics?: UltralyticsHints;
  /** Of a detector of torchvision: number of classes with the background, where its weights show it. */
  readonly torchvision?: { readonly classes?: number };
  /** Names of the files beside the graph that these hints are from. */
  readonly files?: {
    readonly labels?: string | undefined;
    readonly scale?: string | undefined;
    readonly fit?: string | undefined;
  };
  /** What was read from the graph, one sentence each. */
  readonly notes?: readonly string[];
}

export interface UltralyticsHints {
  readonly task?: 'detect' | 'segment' | 'pose' | 'obb' | 'classify';
  /** Numbers of key points after each box. */
  readonly keyPointNumbers?: number;
  /** Whether overlaps are suppressed in the graph, or by an end-to-end head; undefined where the file does not say. */
  readonly isFinished?: boolean;
}
