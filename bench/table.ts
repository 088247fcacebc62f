/** Rows as aligned columns, the first row the heading: readable on a terminal and as Markdown. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [heading = [], ...body] = rows;
  return [
    line(heading),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...body.map(line),
  ].join('\n');
}

/** A share or score with three places, without the leading zero: `.577`. */
export function share(value: number): string {
  return value.toFixed(3).replace(/^(-?)0\./, '$1.');
}
