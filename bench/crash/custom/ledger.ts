import type { Certainty } from '../face-ledger.js';

/** The acknowledged datasets, models and jobs of one client, which sends one request at a time. */
export interface CustomLedger {
  readonly datasets: Map<number, DatasetEntry>;
  readonly models: Map<number, ModelEntry>;
  /** By the job's id. */
  readonly works: Map<string, WorkEntry>;
  /** Descriptions of unexpected answers. */
  readonly wrong: string[];
}

export interface DatasetEntry {
  readonly classes: Map<number, ClassEntry>;
  readonly images: Map<number, ImageEntry>;
  /** SHA-256 of all images that were sent to it, answered or not. */
  readonly sent: Set<string>;
  isDeleted: Certainty;
}

export interface ClassEntry {
  /** One, unless the last change was never answered. */
  names: readonly string[];
}

/** A class by its id; `none` of the classes; `unsaid`: not read yet. */
export type Shown = number | 'none' | 'unsaid';

export interface ImageEntry {
  readonly sha256: string;
  /** One, unless the last change was never answered. */
  shown: readonly Shown[];
  isDeleted: Certainty;
}

export interface ModelEntry {
  readonly versions: Map<number, VersionEntry>;
  /** Numbers that may be active; `unheard`: a version whose creation was never answered. */
  current: readonly (number | null | 'unheard')[];
  isDeleted: Certainty;
}

export interface VersionEntry {
  readonly uid: string;
  readonly labels: readonly string[];
  /** Digest of its files, once they were read; null before. */
  digest: string | null;
  isDeleted: Certainty;
}

/** A job. */
export interface WorkEntry {
  readonly kind: 'import' | 'training' | 'comparison';
  /** Of the dataset that is imported into, or of the model. */
  readonly subject: number;
  /** SHA-256 of the images of an import. */
  readonly imported: readonly string[];
  /** Kills during the job. */
  crashes: number;
  /** Null before it has ended. */
  end: WorkEnd | null;
}

export interface WorkEnd {
  readonly state: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: unknown;
}

export function createCustomLedger(): CustomLedger {
  return { datasets: new Map(), models: new Map(), works: new Map(), wrong: [] };
}

/** Records whose deletion was never requested. */
export function staying<Entry extends { readonly isDeleted: Certainty }>(
  entries: ReadonlyMap<number, Entry>,
): readonly (readonly [number, Entry])[] {
  return [...entries].filter(([, { isDeleted }]) => isDeleted === 'no');
}

/** Jobs that may be running. */
export function unfinished({
  works,
}: Pick<CustomLedger, 'works'>): readonly (readonly [string, WorkEntry])[] {
  return [...works].filter(([, { end }]) => end === null);
}
