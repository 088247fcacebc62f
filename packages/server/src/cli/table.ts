import Table from 'cli-table3';

/** A table of columns without lines, which a pipe can take apart as well as an eye. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' };
  const table = new Table({
    head: [...head],
    chars: {
      ...none,
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `2026-01-31 12:30` in UTC, or a dash. */
export function formatTime(timeMs: number | null): string {
  return timeMs === null ? '-' : new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');
}
