import type { ModelManifest, ModelRef } from '../catalog/manifest.js';
import type { Image } from '../image/image.js';
import type { DetectResult } from './detect/detections.js';

export type TensorData = Float32Array | Uint8Array | BigInt64Array | Int32Array;
export interface Tensor {
  readonly data: TensorData;
  readonly dims: readonly number[];
}

/** A model in memory, ready to run. Blocks its process's thread while it runs: hence the processes. */
export interface LoadedModel {
  readonly ref: ModelRef;
  readonly manifest: ModelManifest;
  /** Names of the graph's inputs: an older graph may lack one that its family has today. */
  readonly inputs: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

export interface TaskContext {
  readonly image: Image;
  /** Loads the model unless this process holds it already. */
  load(ref: ModelRef): Promise<LoadedModel>;
  /** Results of tasks before this one in the same job, where this task uses them. */
  readonly earlier: { readonly detect?: DetectResult };
  /** Fires when the caller no longer waits; check it between steps, since a run itself cannot be stopped. */
  readonly signal: AbortSignal;
}

/**
 * One thing the engine can do with an image. Add one by writing its file or folder here and a row in
 * `registry.ts`; inference processes find tasks by name.
 */
export interface Task<Name extends string, Options, Result> {
  readonly name: Name;
  /** The longer side, in pixels, to which the image may be reduced on decoding without harm to this task. */
  detailPx(options: Options): number;
  /** Maximum number of rasters that this task reads. */
  rasters(options: Options): number;
  run(context: TaskContext, options: Options): Promise<Result>;
}
