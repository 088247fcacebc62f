/** Where a drop's files go; without what is secret. `docs/destinations.md` tells each kind. */
export type DropDestination = { readonly secrets: readonly string[] } & (
  | FtpPlace
  | FtpsPlace
  | SftpPlace
  | S3Place
  | HttpPlace
  | FolderPlace
);

/** The same as it is given: secrets by their names. */
export type DropDestinationGiven = {
  /** Those left out stay as they are while the place stays the same. */
  readonly secrets?: DropSecrets;
} & (FtpPlace | FtpsPlace | SftpPlace | S3Place | HttpPlace | FolderPlace);

export interface DropSecrets {
  readonly password?: string;
  readonly private_key?: string;
  readonly passphrase?: string;
  readonly secret_access_key?: string;
  readonly token?: string;
  readonly header_value?: string;
  readonly query?: string;
}

interface AnyPlace {
  /** A template such as `{year}/{month}/{label}/{name}`. */
  readonly path?: string;
}
interface NamedPlace extends AnyPlace {
  /** `rename` unless given. */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
}
interface HostPlace extends NamedPlace {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly folder?: string;
}
export interface FtpPlace extends HostPlace {
  readonly kind: 'ftp';
}
export interface FtpsPlace extends HostPlace {
  readonly kind: 'ftps';
  readonly tls?: 'explicit' | 'implicit';
  readonly certificate?: string;
}
export interface SftpPlace extends HostPlace {
  readonly kind: 'sftp';
  readonly host_key?: string;
}
export interface S3Place extends NamedPlace {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly access_key_id: string;
  readonly path_style?: boolean;
  readonly prefix?: string;
  readonly certificate?: string;
}
export interface HttpPlace extends AnyPlace {
  readonly kind: 'http';
  readonly address: string;
  readonly user?: string;
  readonly header_name?: string;
  readonly certificate?: string;
}
export interface FolderPlace extends NamedPlace {
  readonly kind: 'folder';
  readonly folder: string;
}

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
  /** What is no picture. */
  readonly other_files: 'fail' | 'deliver';
  readonly keep_done_days: number;
  readonly keep_failed_days: number;
}

/** Those that shall be otherwise than they are. */
export interface DropSettingsGiven extends Partial<Omit<DropSettings, 'model_id' | 'keywords'>> {
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
  /** Where to send pictures; the password is the key of the drop. A port of null: FTP is switched off. */
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
  /** What was found; boxes in pixels of the picture as it is meant to be seen. */
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
