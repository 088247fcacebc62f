import type { Tenant } from './tenant.js';

/** What an account asks for. */
export interface Prepared {
  /** An ordinary request. */
  ordinary(signal: AbortSignal): Promise<unknown>;
  /** What the account that asks without end asks for, over and over. */
  endless(signal: AbortSignal): Promise<unknown>;
  /** What that account occupies first, until the signal fires. */
  occupy?(signal: AbortSignal): Promise<unknown>;
}

/** Something that requests of all accounts share. */
export interface Resource {
  readonly name: string;
  /** Requests that are slow enough for fewer to be measured. */
  readonly isSlow?: boolean;
  /** Where both ask for something else, so that answers passed say nothing: the tests leave it out. */
  readonly isTimedOnly?: boolean;
  /** Requests that the other account has under way at any time. */
  readonly atOnce: number;
  /** Of the account that is measured, where answers of both are counted. */
  readonly ownAtOnce: number;
  /** Of what is limited by time and not by turns: answers a second that the other account has at most. */
  readonly maxPerSecond?: number;
  prepare(tenant: Tenant): Promise<Prepared>;
}
