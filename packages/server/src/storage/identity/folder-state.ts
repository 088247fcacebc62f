import type { FolderRow } from './database-identity.js';

export type FolderState = 'running' | 'stopped' | 'missing' | 'retired';

const hourMs = 3_600_000;
/** A service checks its folder every hour: one that did not for so long was killed, or lost its database. */
const runningForMs = 3 * hourMs;
/** A folder that was not seen for so long is reported. */
const missingAfterMs = 24 * hourMs;

type Row = Pick<FolderRow, 'seen_at' | 'stopped_at' | 'retired_at'>;

export function folderState(row: Row, nowMs: number): FolderState {
  if (row.retired_at !== null) return 'retired';
  if (row.seen_at < nowMs - missingAfterMs) return 'missing';
  return row.stopped_at === null && row.seen_at >= nowMs - runningForMs ? 'running' : 'stopped';
}

/** Whether nothing was seen of a folder that should be there. */
export function isMissing(row: Row, nowMs: number): boolean {
  return folderState(row, nowMs) === 'missing';
}
