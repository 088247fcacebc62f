import type { ArchiveSummary, Listed } from '../operate/backup/archive-format.js';

const shown = 10;

/** What is in an archive, a line each. */
export function describeArchive({ header, end }: ArchiveSummary): readonly string[] {
  const { createdMs, lynceusVersion, database } = header;
  const contents = Object.entries(end.contents).map(
    ([kind, { files, bytes }]) => `  ${kind}: ${files} ${files === 1 ? 'file' : 'files'}, ${bytes} bytes`,
  );
  return [
    `Made ${new Date(createdMs).toISOString()} by version ${lynceusVersion}, from ${databases[database]}.`,
    ...contents,
  ];
}

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** What is not in it although the database names it. */
export function describeLosses({ header, end }: ArchiveSummary): readonly string[] {
  const lines: string[] = [];
  if (end.missing.count > 0) {
    const where =
      header.database === 'sqlite'
        ? 'were lost before'
        : 'belong to other services on this database, or were lost before';
    lines.push(
      `Missing: ${end.missing.count} files that the database names are not in the data folder; they ${where}:`,
    );
    lines.push(...list(end.missing));
  }
  if (end.deletedMeanwhile.count > 0) {
    lines.push(`${end.deletedMeanwhile.count} files were deleted or changed while the backup was made:`);
    lines.push(...list(end.deletedMeanwhile));
  }
  return lines;
}

function list({ count, paths }: Listed): readonly string[] {
  const some = paths.slice(0, shown).map((path) => `  ${path}`);
  return count > some.length ? [...some, `  … and ${count - some.length} more`] : some;
}
