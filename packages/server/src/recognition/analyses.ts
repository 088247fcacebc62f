import type { ImageKind } from '@lynceus/engine';
import { sql } from 'kysely';
import { caseFold } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { BlobStore, StoredBlob } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import { type ImageLocation, locationOf } from '../storage/thumbnails/thumbnails.js';
import { type AnalysisSummary, readSummary } from './record.js';

/** A kept analysis, without what was found. Times are milliseconds since 1970. */
export interface AnalysisHead {
  readonly fileid: string;
  readonly operation: string;
  readonly keyId: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Of the image that is kept beside it; null where none is. */
  readonly imageBytes: number | null;
  readonly summary: AnalysisSummary;
}

interface AnalysisFilter {
  readonly operation?: string | undefined;
  /** A part of a label or of a model's id, in large or small letters. */
  readonly search?: string | undefined;
  /** From this moment on. */
  readonly fromMs?: number | undefined;
  /** Before this moment. */
  readonly beforeMs?: number | undefined;
}

type AnalysisPosition = readonly [createdAt: number, fileid: string];

/**
 * The analyses that accounts keep. One of another account, or whose time is over, is `not_found`, as one that there
 * never was.
 */
export type Analyses = ReturnType<typeof createAnalyses>;

const columns = [
  'fileid',
  'operation',
  'key_id as keyId',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'image_bytes as imageBytes',
  'summary',
] as const;

export function createAnalyses(deps: {
  readonly database: Database;
  readonly imageFiles: Pick<BlobStore, 'read' | 'hold' | 'sizeOf' | 'remove'>;
  readonly clock: Clock;
}) {
  const { database, imageFiles, clock } = deps;
  const { query } = database;
  const notFound = () =>
    new ServiceError('not_found', 'there is no such file, or its result is kept no longer');
  const notKept = () => new ServiceError('not_found', 'the image of this analysis was not kept');
  const kindOfImage = async (accountId: number, fileid: string): Promise<ImageKind> => {
    const row = await query
      .selectFrom('analysis')
      .select('image_kind as kind')
      .where('fileid', '=', fileid)
      .where('account_id', '=', accountId)
      .where('expires_at', '>', clock())
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.kind === null) throw notKept();
    return row.kind;
  };

  return {
    /** The newest first. */
    async list(
      accountId: number,
      { operation, search, fromMs, beforeMs }: AnalysisFilter,
      { limit, after }: PageRequest<AnalysisPosition>,
    ): Promise<Page<AnalysisHead, AnalysisPosition>> {
      let rows = query
        .selectFrom('analysis')
        .select(columns)
        .where('account_id', '=', accountId)
        // What the sweep has not reached yet is gone all the same.
        .where('expires_at', '>', clock());
      if (operation !== undefined && search === undefined) rows = rows.where('operation', '=', operation);
      if (search !== undefined) {
        const pattern = `%${caseFold(search).replace(/[!%_]/g, '!$&')}%`;
        rows = rows.where(sql<boolean>`search_text like ${pattern} escape '!'`);
        // As an expression, so that the index is taken that has the text in it, and not that of operations.
        if (operation !== undefined) rows = rows.where(sql<boolean>`operation || '' = ${operation}`);
      }
      if (fromMs !== undefined) rows = rows.where('created_at', '>=', fromMs);
      if (beforeMs !== undefined) rows = rows.where('created_at', '<', beforeMs);
      if (after !== undefined) {
        const [createdAt, fileid] = after;
        rows = rows
          // Beside the exact condition, one that an index can use.
          .where('created_at', '<=', createdAt)
          .where((row) => row.or([row('created_at', '<', createdAt), row('fileid', '<', fileid)]));
      }
      const found = await rows
        .orderBy('created_at', 'desc')
        .orderBy('fileid', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toHead), limit, (row): AnalysisPosition => [row.createdAt, row.fileid]);
    },

    /** `record` is what `recordAnalysis` was given, as the text of a JSON object. */
    async read(accountId: number, fileid: string): Promise<AnalysisHead & { readonly record: string }> {
      const row = await query
        .selectFrom('analysis')
        .select([...columns, 'record'])
        .where('fileid', '=', fileid)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', clock())
        .executeTakeFirst();
      if (!row) throw notFound();
      return { ...toHead(row), record: row.record };
    },

    /** The image as it came; `not_found` too where it is not kept. */
    async readImage(
      accountId: number,
      fileid: string,
    ): Promise<{ readonly kind: ImageKind; readonly image: StoredBlob }> {
      const kind = await kindOfImage(accountId, fileid);
      const image = await imageFiles.read(fileid);
      if (image === null) throw notKept();
      return { kind, image };
    },

    /** Where the image is; `not_found` where none was kept. */
    async locationOfImage(accountId: number, fileid: string): Promise<ImageLocation> {
      await kindOfImage(accountId, fileid);
      return locationOf(imageFiles, fileid);
    },

    /** With its image. */
    async remove(accountId: number, fileid: string) {
      const [removed] = await database.write([
        query
          .deleteFrom('analysis')
          .where('fileid', '=', fileid)
          .where('account_id', '=', accountId)
          .where('expires_at', '>', clock()),
      ]);
      if (removed?.changes !== 1) throw notFound();
      await imageFiles.remove(fileid);
    },
  };
}

function toHead({
  summary,
  ...head
}: Omit<AnalysisHead, 'summary'> & { readonly summary: string | null }): AnalysisHead {
  const { fileid, operation, keyId, createdAt, expiresAt, imageBytes } = head;
  return { fileid, operation, keyId, createdAt, expiresAt, imageBytes, summary: readSummary(summary) };
}
