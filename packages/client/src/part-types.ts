import type {
  ChangePerceptionOptions,
  ExportOptions,
  ImportOptions,
  RemoveMemberOptions,
} from './generated/calls.js';
import type { CallOptions } from './options.js';

/** A format that other programs read; see docs/datasets.md. */
export type DatasetFormat = ExportOptions['format'];

/** A format that an import reads; exports write those of `DatasetFormat`. */
export type DatasetImportFormat = NonNullable<ImportOptions['format']>;

/** What becomes of the keys that a user created. */
export type KeyChoices = Omit<RemoveMemberOptions, keyof CallOptions>;

export type PerceptionSettings = Omit<ChangePerceptionOptions, 'name' | keyof CallOptions>;
