import type { Int8Arithmetic } from './int8/int8-arithmetic.js';

/** What the service's log should tell of its inference processes. */
export type RunnerEvent =
  | {
      readonly type: 'started';
      readonly pid: number;
      readonly startMs: number;
      readonly int8?: Int8Arithmetic;
    }
  /** `delayMs`: wait before the replacement; `lossesInARow`: processes lost since one last answered. */
  | {
      readonly type: 'process-crashed';
      readonly pid: number | undefined;
      readonly cause: string;
      readonly duringJob: boolean;
      readonly lossesInARow: number;
      readonly delayMs: number;
    }
  | { readonly type: 'recycled'; readonly pid: number; readonly rssBytes: number }
  /** It was idle for so long that it was let go. */
  | { readonly type: 'idle-ended'; readonly pid: number }
  /** It was ended during a job, above the memory that a job may take. */
  | {
      readonly type: 'outgrown';
      readonly pid: number;
      readonly rssBytes: number;
      readonly maxRssBytes: number;
    }
  | { readonly type: 'timeout'; readonly pid: number; readonly timeoutMs: number }
  | { readonly type: 'fault' | 'warm-up'; readonly pid: number; readonly detail: string };
