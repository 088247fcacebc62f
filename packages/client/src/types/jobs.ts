/** Work that continues after the request that started it. */
export interface Job {
  readonly id: string;
  /** Such as `dataset-import`. */
  readonly kind: string;
  /** What it works on, such as a dataset of this id. */
  readonly subject: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: JobProgress;
  /** Of the kind; null before it is done. */
  readonly result: unknown;
  /** Why it failed, or failed last. */
  readonly error: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

export interface JobProgress {
  readonly stage: string | null;
  /** Steps of this stage. */
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  /** Of this stage, 0 to 100. */
  readonly percent: number | null;
  /** Of this stage; null while nobody knows. */
  readonly seconds_left: number | null;
}
