import type { DropDestination } from './drop-destinations.js';

export type DropKeywordSource = 'names' | 'objects' | 'classes' | 'texts' | 'faces';

export interface DropKeywordSettings {
  readonly sources: readonly DropKeywordSource[];
  /** 0 to 1. */
  readonly min_confidence: {
    readonly names: number;
    readonly objects: number;
    readonly classes: number;
    readonly texts: number;
    readonly faces: number;
  };
  readonly max_keywords: number;
  readonly prefix: string;
  readonly lower_case: boolean;
  readonly raw_files: 'sidecar' | 'embedded';
}

/** What a drop does with its files. */
export interface DropSettings {
  /** Number or UID; null: general recognition. */
  readonly model_id: string | null;
  readonly parts: readonly ('classes' | 'objects' | 'texts' | 'faces')[];
  readonly keywords: DropKeywordSettings;
  /** What is no image. */
  readonly other_files: 'fail' | 'deliver';
  readonly keep_done_days: number;
  readonly keep_failed_days: number;
}

/** Those that shall be otherwise than they are. */
export interface DropSettingsInput extends Partial<Omit<DropSettings, 'model_id' | 'keywords'>> {
  readonly model_id?: string | number | null;
  readonly keywords?: Partial<Omit<DropKeywordSettings, 'min_confidence'>> & {
    readonly min_confidence?: Partial<DropKeywordSettings['min_confidence']>;
  };
}

/** A place that takes photographs by FTP, writes keywords into them, and sends them on. */
export interface Drop {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** Where to send images; the password is the key of the drop. A port of null: FTP is switched off. */
  readonly ftp: { readonly host: string; readonly port: number | null; readonly user_name: string };
  readonly key_id: number;
  readonly settings: DropSettings;
  /** Null: files get their keywords and stay in `done/`. */
  readonly destination: DropDestination | null;
  /** How many are on their way in, wait to be sent on, failed, and were sent on since the day began (UTC). */
  readonly files: {
    readonly receiving: number;
    readonly waiting: number;
    readonly failed: number;
    readonly done_today: number;
  };
  readonly created_at: string;
}

export interface NewDrop extends Drop {
  /** The key of the drop, shown here and never again. */
  readonly key: string;
}

/** What was deleted, for good. */
export interface DropReceipt {
  readonly files: number;
  readonly folders: number;
  readonly file_bytes: number;
}

/** What came of trying a destination. */
export interface DestinationVerdict {
  readonly ok: boolean;
  /** Where the small file was, until it was removed. */
  readonly where: string | null;
  readonly problem:
    | 'unreachable'
    | 'not-allowed'
    | 'credentials'
    | 'identity'
    | 'refused'
    | 'full'
    | 'exists'
    | 'mismatch'
    | 'settings'
    | null;
  /** What to mend. */
  readonly message: string | null;
  readonly duration_ms: number;
}
