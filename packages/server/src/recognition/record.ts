import type { Compilable } from 'kysely';
import type { Reservation } from '../accounts/accounts.js';
import { caseFold } from '../accounts/names.js';
import { prepareAnalysisInsert } from '../storage/analysis-insert.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import type { Database } from '../storage/database.js';
import type { KeptImage } from './kept-images.js';
import type { Found } from './results.js';

const dayMs = 86_400_000;

/** 32 hexadecimal digits, opaque to clients; we read the owner of a kept image from it. */
export function createFileId(accountId: number): string {
  return ownedUuid(accountId).replaceAll('-', '');
}

/** Makes the statements that keep an analysis; none for an account that keeps no results. */
type RecordAnalysis = (
  reservation: Reservation,
  analysis: {
    readonly fileid: string;
    readonly nowMs: number;
    readonly record: unknown;
    /** By `writeSummary`. */
    readonly summary: string;
    readonly image: KeptImage | null;
  },
) => readonly Compilable[];

export function createRecorder({ query }: Pick<Database, 'query'>): RecordAnalysis {
  const insert = prepareAnalysisInsert({ query });
  return ({ caller, operation }, { fileid, nowMs, record, summary, image }) => {
    if (caller.resultDays === 0) return [];
    return [
      insert({
        fileid,
        account_id: caller.accountId,
        key_id: caller.keyId,
        operation,
        created_at: nowMs,
        expires_at: nowMs + caller.resultDays * dayMs,
        record: JSON.stringify(record),
        summary,
        search_text: caseFold(summary),
        image_bytes: image?.sizeBytes ?? null,
        image_kind: image?.kind ?? null,
      }),
    ];
  };
}

/** What an analysis found and by which models, in a few words. */
export interface AnalysisSummary {
  /** Titles of objects and classes and names of people, the surest first of each kind; at most eight. */
  readonly labels: readonly string[];
  readonly models: readonly string[];
}

const maxLabels = 8;
/** Of the text in a row, which stands in an index too; of four bytes each at most. */
const maxCharacters = 400;

/** As it is kept in a row: labels in lines, a tab, models in lines. Cut where it would be long. */
export function writeSummary(found: Found, models: readonly { readonly id: string }[]): string {
  const { objects = [], classes = [], faces = [] } = found;
  const people = faces.flatMap(({ person }) => (person ? [person.name] : []));
  const titles = [...objects, ...classes].map(({ label }) => label.title);
  return toText([...people, ...titles], models);
}

/** The same of a search for faces: names of those who were found. */
export function writeSearchSummary(
  names: readonly string[],
  models: readonly { readonly id: string }[],
): string {
  return toText(names, models);
}

export function readSummary(text: string | null): AnalysisSummary {
  const [labels = '', models = ''] = (text ?? '').split('\t');
  return { labels: labels.split('\n').filter(Boolean), models: models.split('\n').filter(Boolean) };
}

function toText(labels: readonly string[], models: readonly { readonly id: string }[]): string {
  const labelLines = [...new Set(labels.map(toLine))].slice(0, maxLabels);
  const ids = [...new Set(models.map(({ id }) => toLine(id)))];
  return [...`${labelLines.join('\n')}\t${ids.join('\n')}`].slice(0, maxCharacters).join('');
}

/** Half of a pair, as a model's labels may hold it, is no text that a database keeps. */
function toLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\t\n\0]/g, ' ')
    .trim();
}

/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/** Deletes the analyses whose time is over, and their images; answers how many. */
export async function sweepExpiredAnalyses(
  database: Database,
  imageFiles: Pick<BlobStore, 'remove'>,
  nowMs: number,
): Promise<number> {
  let swept = 0;
  for (;;) {
    const [deleted] = await database.write([
      database.query
        .deleteFrom('analysis')
        .where('fileid', 'in', (from) =>
          from.selectFrom('analysis').select('fileid').where('expires_at', '<=', nowMs).limit(sweepRows),
        )
        .returning(['fileid', 'image_bytes']),
    ]);
    const changes = deleted?.changes ?? 0;
    for (const row of deleted?.rows ?? []) {
      if (row['image_bytes'] !== null) await imageFiles.remove(String(row['fileid']));
    }
    swept += changes;
    if (changes < sweepRows) return swept;
  }
}
