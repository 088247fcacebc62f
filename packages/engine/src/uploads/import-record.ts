import { type Static, Type } from 'typebox';
import { ImportOptions, UploadFamily } from './import-options.js';
import { UploadPlan } from './plan.js';

/** `import.json` beside an uploaded model: enough to make its graph again from the kept source files. */
export const ImportRecord = Type.Object({
  id: Type.String(),
  version: Type.String(),
  title: Type.String(),
  /** `onnx`, `tflite`, `tfjs` or `tfjs-layers`. */
  format: Type.String(),
  family: UploadFamily,
  /** Names under which the files were uploaded; the n-th is kept as `source/n`. */
  sources: Type.Array(Type.String()),
  options: ImportOptions,
  plan: UploadPlan,
  /** What was found or assumed, one sentence each, for the user. */
  notes: Type.Array(Type.String()),
  trial: Type.Object({
    /** Median time of a run on one thread, preparing the image left out. */
    ms: Type.Number(),
    /** Memory of the process that ran it, in MiB. */
    mb: Type.Number(),
  }),
});
export type ImportRecord = Static<typeof ImportRecord>;
