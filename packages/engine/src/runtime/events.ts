import type { Int8Arithmetic } from './int8/int8-arithmetic.js';

/** Events of inference processes for the service's log. */
export type RunnerEvent =
  | {
      readonly type: 'started';
      readonly pid: number;
      readonly startMs: number;
      readonly int8?: Int8Arithmetic;
    }
  /** `delayMs`: wait before the replacement; `lossesInARow`: processes that exited since one last answered. */
  | {
      readonly type: 'process-crashed';
      readonly pid: number | undefined;
      readonly cause: string;
      readonly duringJob: boolean;
      readonly lossesInARow: number;
      readonly delayMs: number;
    }
  | { readonly type: 'recycled'; readonly pid: number; readonly rssBytes: number }
  /** It was idle for too long and was stopped. */
  | { readonly type: 'idle-ended'; readonly pid: number }
  /** It was killed during a job, above the memory limit of a job. */
  | {
      readonly type: 'outgrown';
      readonly pid: number;
      readonly rssBytes: number;
      readonly maxRssBytes: number;
    }
  /** It was killed while it decoded an image, above the processor time of that. */
  | {
      readonly type: 'overworked';
      readonly pid: number;
      readonly cpuMs: number;
      readonly decodeMaxCpuMs: number;
    }
  | { readonly type: 'timeout'; readonly pid: number; readonly timeoutMs: number }
  | { readonly type: 'fault' | 'warm-up'; readonly pid: number; readonly detail: string };
