import type { ModelManifest } from '../manifest.js';

interface UploadConversion {
  readonly id: string;
  readonly title: string;
  readonly file: { readonly name: string; readonly path: string };
  readonly options: Readonly<Record<string, unknown>>;
  readonly maxFileBytes: number;
  /** Gets `model.onnx` and `manifest.json`. Must not exist. */
  readonly outDir: string;
}

export interface ConvertedUpload {
  readonly manifest: ModelManifest;
  /** `onnx`, `tflite`, … */
  readonly format: string;
  /** What was found or assumed, one sentence each. */
  readonly notes: readonly string[];
  /** Median time of a run on one thread, and memory of the process that ran it. */
  readonly trial: { readonly ms: number; readonly mb: number };
}

/**
 * Recognises, converts and tries a model file in a process of its own, as uploads of accounts are. Handed to the catalogue, which
 * runs no model itself. Rejects with what is wrong with the file.
 */
export type ConvertUpload = (conversion: UploadConversion, signal: AbortSignal) => Promise<ConvertedUpload>;
