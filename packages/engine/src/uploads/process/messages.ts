import type { ImportOptions } from '../import-options.js';
import type { UploadLimits } from '../limits.js';

/** The only request of the conversion process. */
export interface ConvertUpload {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly options: ImportOptions;
  /** Gets `model.onnx`, `manifest.json` and `import.json`. */
  readonly outDir: string;
  readonly limits: UploadLimits;
}

export type ConvertReply = { readonly ok: true } | { readonly ok: false; readonly refused: string };
