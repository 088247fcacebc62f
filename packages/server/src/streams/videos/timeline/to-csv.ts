import { stringify } from 'csv-stringify/sync';
import { inPieces } from './in-pieces.js';
import type { ShownTimeline, ShownTrack } from './shown-timeline.js';

const columns: readonly (readonly [name: string, value: (track: ShownTrack) => string | number])[] = [
  ['id', ({ id }) => id],
  ['label', ({ label }) => label],
  ['score', ({ score }) => score],
  ['start_seconds', ({ startSeconds }) => startSeconds],
  ['end_seconds', ({ endSeconds }) => endSeconds],
  ['best_seconds', ({ bestSeconds }) => bestSeconds],
  ['x_min', ({ box }) => box.xMin],
  ['y_min', ({ box }) => box.yMin],
  ['x_max', ({ box }) => box.xMax],
  ['y_max', ({ box }) => box.yMax],
  ['person_id', ({ person }) => person?.id ?? ''],
  ['person', ({ person }) => person?.name ?? ''],
  ['person_score', ({ person }) => person?.score ?? ''],
  ['texts', ({ texts }) => texts.join('\n')],
  ['thumbnail', ({ thumbnailId }) => thumbnailId ?? ''],
];

/**
 * The tracks of a timeline as CSV (RFC 4180) in UTF-8, with a line of names. Text that a spreadsheet would take for a formula gets an
 * apostrophe before it.
 */
export async function* timelineToCsv({ tracks }: Pick<ShownTimeline, 'tracks'>): AsyncGenerator<string> {
  yield toLines([columns.map(([name]) => name)]);
  for await (const piece of inPieces(tracks)) {
    yield toLines(piece.map((track) => columns.map(([, value]) => value(track))));
  }
}

/** Rows as lines that any reader of CSV takes apart again. */
export function toLines(rows: readonly (readonly (string | number)[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ },
  );
}
