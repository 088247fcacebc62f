import type { Compilable } from 'kysely';
import type { Role } from '../../core/roles.js';

type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

export interface JobProgress {
  /** What is being done, in a word or two for people; null before anything was. */
  readonly stage: string | null;
  /** Steps of this stage; stored as whole numbers. */
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  /** Of this stage; null or absent while nobody knows. */
  readonly secondsLeft?: number | null;
}

/** Work that outlives requests and restarts. */
export interface Job {
  readonly id: string;
  readonly accountId: number;
  readonly kind: string;
  /** What it works on, such as a perception's id; one unfinished job of a kind may be on it. */
  readonly subject: string;
  /** Written by the kind alone, as JSON. */
  readonly payload: unknown;
  readonly state: JobState;
  readonly progress: JobProgress;
  /** It was canceled: if it still runs, it ends soon. */
  readonly isCancelAsked: boolean;
  /** Of the kind, as JSON; null before the end. */
  readonly result: unknown;
  /** Why it failed, or failed last; for its owner to read. */
  readonly error: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface JobControl {
  /** Fires when the job is cancelled, when another service has taken it or may have, and when this one stops. */
  readonly signal: AbortSignal;
  /**
   * At the end of each unit that the job writes: undoes it, as `not-null`, when the job is another service's by now, or was
   * deleted.
   */
  readonly fence: readonly Compilable[];
  /**
   * Cheap: the latest progress is written once a second at most.
   * @param isKept Whether the next attempt need not do this again: then it has all its attempts again too.
   */
  progress(progress: JobProgress, isKept?: boolean): void;
}

/** `training` and `streams`: heavy work of minutes to hours, for services of its own. */
export type JobRole = Extract<Role, 'jobs' | 'training' | 'streams'>;

/**
 * The shape of the payloads of a kind. A job of a newer version is left for a newer service; one of an older version is read as one
 * of this version.
 */
interface PayloadShape {
  /** Of this program, which it writes too; the first is 1. Raise it when the shape changes. */
  readonly version: number;
  /** The same payload in this version. Throws `JobFailure` for one that cannot be read any more. */
  upgrade(payload: unknown, from: number): unknown;
}

/** Of a kind whose payloads never changed. */
export const firstPayloadVersion = 1;

/** What is done under one name. A job may be begun any number of times, each time after an end at any point. */
export interface JobKind {
  readonly kind: string;
  /** How often it is begun without keeping anything of its work, until it has failed. */
  readonly maxAttempts: number;
  /** Of services with this role alone; `jobs` unless given. */
  readonly role?: JobRole;
  /** At once, in one service. */
  readonly concurrency: number;
  /** Of one account at once, in one service, whatever others may have; no limit of the kind's own unless given. */
  readonly maxPerAccount?: number;
  /** Whether nothing is kept of one that is done, since its subject tells all; kept unless given. */
  readonly isForgotten?: boolean;
  /**
   * Whether it waits while the disk here is full and no other service may have it, until there is room; it fails unless given.
   */
  readonly waitsForRoom?: boolean;
  /** The shape of its payloads; one that never changed unless given. */
  readonly payload?: PayloadShape;
  /** Resolves with the result. Throws `JobFailure` when trying again is of no use; anything else is tried again. */
  run(job: Job, control: JobControl): Promise<unknown>;
}

/** Ends a job as failed; the message is for its owner. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}
