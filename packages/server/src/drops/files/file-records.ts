import { type SelectQueryBuilder, sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { Schema } from '../../storage/schema.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import { outputOf } from '../pipeline/output.js';
import { endingsBeside } from './file-parts.js';
import { type DropRef, type FileRow, filesOf } from './file-rows.js';
import { toPath } from './location.js';

/** A file of a drop as its owner sees it. Times are milliseconds since 1970. */
export interface DropFile {
  readonly id: string;
  /** As it came. */
  readonly name: string;
  /** Within `incoming`, as it came: names with slashes between them. */
  readonly folder: string;
  /** Where it is by FTP now. */
  readonly path: string;
  readonly state: DropFileState;
  readonly sizeBytes: number;
  /** Of its analysis. */
  readonly fileid: string | null;
  readonly deliveredTo: string | null;
  readonly error: string | null;
  /** The first of the keywords that we wrote, for a list. */
  readonly firstKeywords: readonly string[];
  readonly createdAt: number;
  readonly endedAt: number | null;
}

interface FilesQuery {
  readonly states?: readonly DropFileState[] | undefined;
  /** A part of the name; of the letters a to z, either case. */
  readonly search?: string | undefined;
}

interface FilePosition {
  readonly createdAt: number;
  readonly id: string;
}

/** What happened to a file; `at` since 1970. */
export interface FileEvent {
  readonly at: number;
  readonly what: string;
  readonly detail: string | null;
}

/** States of files that have arrived and are on their way. */
export const waitingStates: readonly DropFileState[] = ['arrived', 'predicted', 'written'];

const headColumns = [
  ...(['id', 'area', 'parent', 'name', 'state', 'size_bytes', 'fileid', 'delivered_to', 'error'] as const),
  ...(['came_parent', 'came_name', 'created_at', 'ended_at'] as const),
] as const;
type HeadRow = Pick<FileRow, (typeof headColumns)[number] | 'output'>;

const maxFirstKeywords = 6;
/** A photograph may have come with any number of keywords; a page of such is not read for the sake of ours. */
const maxOutputLetters = 8000;
const shortOutput = sql<string | null>`case when length(output) <= ${maxOutputLetters} then output end`;

/** The files of drops, as their owners see them. */
export function createFileRecords({ database }: { readonly database: Pick<Database, 'query'> }) {
  const { query } = database;

  return {
    /** The newest first. */
    async list(
      drop: DropRef,
      { states, search }: FilesQuery,
      { limit, after }: PageRequest<FilePosition>,
    ): Promise<Page<DropFile, FilePosition>> {
      let rows = photos(filesOf(database, drop))
        .clearSelect()
        .select(headColumns)
        .select(shortOutput.as('output'));
      if (states !== undefined) rows = rows.where('state', 'in', states);
      if (search !== undefined) {
        const pattern = `%${search.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
        rows = rows.where(sql<boolean>`lower(name) like ${pattern} escape '!'`);
      }
      if (after !== undefined) {
        rows = rows.where(({ or, and, eb }) =>
          or([
            eb('created_at', '<', after.createdAt),
            and([eb('created_at', '=', after.createdAt), eb('id', '<', after.id)]),
          ]),
        );
      }
      const found = await rows
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toDropFile), limit, ({ createdAt, id }) => ({ createdAt, id }));
    },

    /** With all that its row tells. Throws `not_found`. */
    async read(drop: DropRef, id: string): Promise<{ readonly file: DropFile; readonly row: FileRow }> {
      const row = await readFileRow(database, drop, id);
      return { file: toDropFile(row), row };
    },

    /** The oldest first. */
    async history(id: string): Promise<readonly FileEvent[]> {
      const rows = await query
        .selectFrom('drop_event')
        .select(['at', 'what', 'detail'])
        .where('file_id', '=', id)
        .orderBy('at')
        .limit(maxEvents)
        .execute();
      // Of what happened within one millisecond, the later step is the later.
      return rows.sort((one, other) => one.at - other.at || rankOf(one.what) - rankOf(other.what));
    },
  };
}

export type FileRecords = ReturnType<typeof createFileRecords>;

const maxEvents = 1000;
const steps: readonly string[] = [
  ...(['resumed', 'held', 'arrived', 'interrupted', 'predicted', 'written', 'done', 'failed'] as const),
  'retried',
];

function rankOf(what: string): number {
  return steps.indexOf(what);
}

/** Throws `not_found`. */
export async function readFileRow(
  database: Pick<Database, 'query'>,
  drop: DropRef,
  id: string,
): Promise<FileRow> {
  const row = await photos(filesOf(database, drop)).where('id', '=', id).executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `${id} is not one of the files of this drop`);
  return row;
}

/** Without the sidecars, and the texts that say why a file failed, which FTP shows as files beside it. */
export function photos<Row>(
  rows: SelectQueryBuilder<Schema, 'drop_file', Row>,
): SelectQueryBuilder<Schema, 'drop_file', Row> {
  return endingsBeside.reduce((left, ending) => left.where('id', 'not like', `%${ending}`), rows);
}

function toDropFile(row: HeadRow): DropFile {
  return {
    id: row.id,
    name: row.came_name ?? row.name,
    folder: row.came_parent ?? row.parent,
    path: toPath(row).join('/'),
    state: row.state,
    sizeBytes: row.size_bytes,
    fileid: row.fileid,
    deliveredTo: row.delivered_to,
    error: row.error,
    firstKeywords: outputOf(row)?.added.slice(0, maxFirstKeywords) ?? [],
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}
