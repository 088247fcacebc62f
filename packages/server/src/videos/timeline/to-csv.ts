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

const lineEnd = '\r\n';

/** The tracks of a timeline as CSV (RFC 4180) in UTF-8, with a line of names. */
export async function* timelineToCsv({ tracks }: Pick<ShownTimeline, 'tracks'>): AsyncGenerator<string> {
  yield columns.map(([name]) => name).join(',') + lineEnd;
  for await (const piece of inPieces(tracks)) {
    yield piece.map((track) => columns.map(([, value]) => toCell(value(track))).join(',') + lineEnd).join('');
  }
}

/**
 * A value as a cell. Text that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP's page on CSV
 * injection advises.
 */
export function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value.normalize('NFKC')) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) || harmless !== value ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
