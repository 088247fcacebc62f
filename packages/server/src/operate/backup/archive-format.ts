import { createHash } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { StorageError } from '../../storage/storage-error.js';

/**
 * An archive of an installation is a plain tar file, in this order: `archive.json`; the database, as `database/lynceus.db`
 * (SQLite) or in pieces `database/lynceus.dump.00001`, … (PostgreSQL, `pg_dump` in its custom format); files of the data
 * folder as `data/PATH`, in ascending order of their paths; and `end.json`, without which the archive was cut. After every
 * `linesInManifest` members, and before `end.json`, `manifest/00001.jsonl`, … has the hashes of those since the last one.
 */
export const archiveFormat = 'lynceus-installation';
export const archiveVersion = 1;

export const headerName = 'archive.json';
export const endName = 'end.json';
export const sqliteName = 'database/lynceus.db';
export const linesInManifest = 1000;
/** Of a member that is neither database nor file. */
export const maxRecordBytes = 4 * 1024 * 1024;
/** Paths of missing files that an archive names; it counts all. */
export const maxListed = 1000;

const memberKinds = [
  'database',
  'kept-image',
  'face-image',
  'dataset-image',
  'import',
  'media',
  'custom-model',
  'drop-file',
  'identity',
  'secret',
] as const;
export type MemberKind = (typeof memberKinds)[number];

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });

export const ArchiveHeader = Type.Object({
  format: Type.Literal(archiveFormat),
  formatVersion: Type.Literal(archiveVersion),
  createdMs: Time,
  lynceusVersion: Type.String({ maxLength: 100 }),
  database: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  /** Names of the changes that the schema has. */
  migrations: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10_000 }),
  /** What the data folder says of the installation that it belongs to; null where it says nothing. */
  installation: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]),
  /** At most: a file may go while the archive is written. Nothing more than this is unpacked. */
  files: Count,
  fileBytes: Count,
  /** Null where it is not known before. */
  databaseBytes: Type.Union([Type.Null(), Count]),
  hasSecrets: Type.Boolean(),
});
export type ArchiveHeader = Static<typeof ArchiveHeader>;

export const ManifestLine = Type.Object({
  path: Type.String({ maxLength: 300 }),
  bytes: Count,
  sha256: Sha256,
  kind: Type.Enum([...memberKinds]),
});
export type ManifestLine = Static<typeof ManifestLine>;

/** By kind. */
const Contents = Type.Record(Type.String(), Type.Object({ files: Count, bytes: Count }));
export type Contents = Static<typeof Contents>;

/** Paths below the data folder, the first `maxListed` of them. */
const Listed = Type.Object({ count: Count, paths: Type.Array(Type.String({ maxLength: 300 })) });
export type Listed = Static<typeof Listed>;

export const ArchiveEnd = Type.Object(
  {
    contents: Contents,
    /** Of all manifests, one after the other. */
    manifestSha256: Sha256,
    /** Files that the database names and that were not there: lost, or those of another service on the same database. */
    missing: Listed,
    /** Files that were deleted, or changed, while the archive was made. */
    deletedMeanwhile: Listed,
    /** `hashRecords` of the header and of this record without it; archives of the first versions have none. */
    recordsSha256: Type.Optional(Sha256),
  },
  // A name that was damaged is noticed.
  { additionalProperties: false },
);
export type ArchiveEnd = Static<typeof ArchiveEnd>;

/** What an archive is, once all of it was read. */
export interface ArchiveSummary {
  readonly header: ArchiveHeader;
  readonly end: ArchiveEnd;
}

const idPart = '[a-z0-9-]';
const blob = `(${idPart}{2})/\\1${idPart}{6,98}`;
const uid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const word = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}';

/** What may be in an archive besides the database, below `data/`. */
const patterns: readonly (readonly [pattern: RegExp, kind: MemberKind])[] = [
  [new RegExp(`^blobs/datasets/${blob}$`), 'dataset-image'],
  [new RegExp(`^blobs/faces/${blob}$`), 'face-image'],
  [new RegExp(`^blobs/imports/${blob}$`), 'import'],
  [new RegExp(`^blobs/media/${blob}$`), 'media'],
  [new RegExp(`^blobs/pictures/${blob}$`), 'kept-image'],
  [new RegExp(`^custom-models/${uid}(/${word}){1,4}$`), 'custom-model'],
  [new RegExp(`^drops/${blob}(\\.xmp)?$`), 'drop-file'],
  [/^installation\.json$/, 'identity'],
  [/^(first-key|secret-key(\.next)?|ftp\/(certificate|key)\.pem|sftp\/host-keys\.json)$/, 'secret'],
];

/** Of a path below the data folder; null for one that no archive has. */
export function kindOfFile(path: string): MemberKind | null {
  return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

export function dumpName(index: number): string {
  return `database/lynceus.dump.${String(index).padStart(5, '0')}`;
}

export function manifestName(index: number): string {
  return `manifest/${String(index).padStart(5, '0')}.jsonl`;
}

export function toManifestText(lines: readonly ManifestLine[]): string {
  return lines
    .map(({ path, bytes, sha256, kind }) => `${JSON.stringify({ path, bytes, sha256, kind })}\n`)
    .join('');
}

/** SHA-256 of what no manifest covers: the bytes of `archive.json`, and those of `end.json` without the hash itself. */
export function hashRecords(header: string | Uint8Array, end: ArchiveEnd): string {
  const { recordsSha256: _itself, ...rest } = end;
  return createHash('sha256').update(header).update(JSON.stringify(rest)).digest('hex');
}

/** Throws for a record that is not as a backup writes it. */
export function parseRecord<T extends TSchema>(schema: T, name: string, text: string): Static<T> {
  try {
    const content: unknown = JSON.parse(text);
    if (Value.Check(schema, content)) return content as Static<T>;
  } catch {
    // Reported below.
  }
  throw refuse(`its ${name} is not as a backup writes it`);
}

export function refuse(reason: string, cause?: unknown): StorageError {
  return new StorageError('damaged', `The archive cannot be used: ${reason}.`, { cause });
}
