export type DropFileState =
  | 'receiving'
  | 'partial'
  | 'held'
  | 'arrived'
  | 'predicted'
  | 'written'
  | 'done'
  | 'failed';

export interface DropFile {
  readonly id: string;
  /** As it came. */
  readonly name: string;
  /** Within `incoming/`, as it came. */
  readonly folder: string;
  /** Where it is by FTP now. */
  readonly path: string;
  readonly state: DropFileState;
  readonly file_bytes: number;
  /** Of its analysis. */
  readonly fileid: string | null;
  readonly delivered_to: string | null;
  /** Why it failed, or failed last while it is tried again. */
  readonly error: string | null;
  /** The first of the keywords that the service wrote, 6 at most; `DropFileDetails` has all. */
  readonly summary: { readonly keywords: readonly string[] };
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface DropFileDetails extends DropFile {
  /** What was found; boxes in pixels of the image as it is meant to be seen. */
  readonly labels: DropLabels | null;
  readonly keywords: {
    /** Where they were written; null: nowhere. */
    readonly field: 'iptc+xmp' | 'xmp' | 'sidecar' | null;
    readonly all: readonly string[];
    /** Of them, by the service. */
    readonly added: readonly string[];
  } | null;
  /** What happened to it, the oldest first. */
  readonly history: readonly {
    readonly at: string;
    readonly what: string;
    readonly detail: string | null;
  }[];
}

interface LabelBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}
interface Titled {
  readonly title: string;
  readonly score: number;
}
export interface DropLabels {
  readonly objects: readonly (Titled & { readonly box: LabelBox })[];
  readonly classes: readonly Titled[];
  readonly texts: readonly { readonly text: string; readonly score: number }[];
  readonly faces: readonly {
    readonly score: number;
    readonly box: LabelBox;
    readonly person: { readonly name: string; readonly similarity: number } | null;
  }[];
}

/** What was deleted, for good. */
export interface DropFileReceipt {
  readonly files: number;
  readonly file_bytes: number;
}

export interface DropPurgeReceipt extends DropFileReceipt {
  /** For another such request. */
  readonly left: number;
}

export interface DropRetried {
  /** That go on now. */
  readonly files: number;
  /** For another such request. */
  readonly left: number;
}
