import type { Job, JobProgress } from './job.js';
import type { JobLease } from './leases.js';

/** A job that this service is at. */
export interface RunningJob {
  readonly job: Job;
  readonly lease: JobLease;
  readonly attempts: number;
  readonly payloadVersion: number;
  readonly isOfFolder: boolean;
  readonly stopping: AbortController;
  progress: JobProgress;
  written: JobProgress;
  /** By the monotonic clock, before it was asked for. */
  renewedMs: number;
  /** Whether something was kept since progress was written. */
  hasKept: boolean;
  /** Whether something was kept in this attempt. */
  hasEverKept: boolean;
  ended: Promise<void>;
}

/** Why the work at a job is given up: the reason of its signal. */
export const stopped = Symbol('the service stops');
export const cancelled = Symbol('cancelled by its owner');
export const halted = Symbol('its account was closed');
export const taken = Symbol('taken by another service, or about to be');
