import type { OutputSecretName, OutputSettings } from './output-settings.js';

/** Where events of streams are sent. Times are milliseconds since 1970. */
export interface StreamOutput {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly settings: OutputSettings;
  /** Those that are kept. */
  readonly secretNames: readonly OutputSecretName[];
  /** The last event of the account that was delivered, or is not for it. */
  readonly deliveredSeq: number;
  /** Null while all is well. */
  readonly failingSince: number | null;
  /** Why it failed last, also after an event was given up. */
  readonly error: string | null;
  /** Events that were given up. */
  readonly givenUp: number;
  readonly createdAt: number;
}
