import { type Static, Type } from 'typebox';
import type { ModelRef } from '../catalog/manifest.js';
import type { EngineErrorCode } from '../errors.js';
import type { SharedPixels } from '../image/raw-pixels.js';
import type { Int8Arithmetic } from './int8/int8-arithmetic.js';
import type { AnalyseJob, Analysis, UnpackedJson, UnpackJsonJob } from './job.js';

/** Messages between the service and an inference process. The receiving process checks the schemas. */

const Bytes = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array);
const Side = Type.Integer({ minimum: 1 });
const Encoding = Type.Optional(Type.Union([Type.Literal('binary'), Type.Literal('base64')]));

const Analyse = Type.Object({
  kind: Type.Literal('analyse'),
  source: Type.Union([
    Type.Object({ kind: Type.Literal('bytes'), bytes: Bytes, encoding: Encoding }),
    Type.Object({ kind: Type.Literal('file'), path: Type.String(), encoding: Encoding }),
    Type.Object({ kind: Type.Literal('frame'), path: Type.String(), width: Side, height: Side }),
    Type.Object({
      kind: Type.Literal('pixels'),
      path: Type.String(),
      width: Side,
      height: Side,
      image: Type.Object({ kind: Type.String(), width: Type.Number(), height: Type.Number() }),
    }),
  ]),
  limits: Type.Object({
    maxPixels: Type.Number({ minimum: 1 }),
    refuseDamage: Type.Optional(Type.Boolean()),
  }),
  tasks: Type.Array(Type.Object({ task: Type.String(), options: Type.Object({}) })),
});

const UnpackJson = Type.Object({
  kind: Type.Literal('unpack-json'),
  path: Type.String(),
  field: Type.String(),
  outPath: Type.String(),
});

const Ref = Type.Object({ id: Type.String(), version: Type.String(), dir: Type.String() });

/** Service to process. `settings` comes once and first. */
export const Command = Type.Union([
  Type.Object({
    type: Type.Literal('settings'),
    executionProvider: Type.String(),
    maxModels: Type.Integer({ minimum: 1 }),
    maxModelBytes: Type.Integer({ minimum: 1 }),
    niceness: Type.Integer({ minimum: 0, maximum: 19 }),
    warm: Type.Array(Ref),
  }),
  Type.Object({
    type: Type.Literal('job'),
    id: Type.Integer(),
    job: Type.Union([Analyse, UnpackJson]),
    /** Others may help: the process asks once it has decoded the image. */
    mayShare: Type.Boolean(),
  }),
  /** Answers `decoded`: the empty file to write the pixels into; null: continue alone. */
  Type.Object({
    type: Type.Literal('share'),
    id: Type.Integer(),
    path: Type.Union([Type.String(), Type.Null()]),
  }),
  /** Answers `next`: the index of the chain to run; null: none is left. */
  Type.Object({
    type: Type.Literal('chain'),
    id: Type.Integer(),
    index: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  }),
  Type.Object({ type: Type.Literal('abort'), id: Type.Integer() }),
]);
export type Command = Static<typeof Command>;

/** The job of an inference process; only here the source may be an image that another process decoded. */
export type AnalyseWork = Omit<AnalyseJob, 'source'> & {
  readonly source: AnalyseJob['source'] | SharedPixels;
};
export type Job = AnalyseWork | UnpackJsonJob;
export type JobResult = Analysis | UnpackedJson;

/** Part of every answer, so that the service knows the loaded models and the memory of each process. */
export interface ProcessState {
  /** Keys (`modelKey`) of the models in memory. */
  readonly models: readonly string[];
  readonly rssBytes: number;
  /** Processor time of the process so far. */
  readonly cpuMs: number;
  /** Found by the process's self-test; absent until it is ready. */
  readonly int8?: Int8Arithmetic;
}

/** Process to service: both ends are this package, so types suffice. */
export type Report =
  | { readonly type: 'ready'; readonly state: ProcessState }
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult; readonly state: ProcessState }
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly error: { readonly code: EngineErrorCode; readonly message: string };
      readonly state: ProcessState;
    }
  /** Decoding of an untrusted image begins, or its size is known by now, or it ends; its processor time is limited. */
  | {
      readonly type: 'decoding';
      readonly id: number;
      readonly isDecoding: boolean;
      /** Pixels of an AVIF or HEIC. */
      readonly slowPixels: number;
    }
  /** The image is decoded and has this many bytes. */
  | { readonly type: 'decoded'; readonly id: number; readonly bytes: number }
  /** The pixels are in the file. */
  | { readonly type: 'shared'; readonly id: number; readonly pixels: SharedPixels }
  | { readonly type: 'next'; readonly id: number }
  /** Something for the log: the stack of a bug, or a model that could not be loaded at the start. */
  | { readonly type: 'note'; readonly about: 'fault' | 'warm-up'; readonly detail: string };

export function modelKey({ dir, version }: ModelRef): string {
  return `${dir}@${version}`;
}
