import type { Agreement } from './compare-files.js';

/** Of files or rows, at least these may be without their other half, … */
const toleratedAtLeast = 3;
/** … and this share of them: a killed service leaves a few files without rows, a mishap a few rows without files. */
const toleratedShare = 0.1;

/**
 * Whether a folder and a database that were never joined belong together. Names of files are random, so a single file
 * that a row names shows that they were together once; the tolerance is there to recognise an older or newer copy of one
 * half.
 * @param isOnly whether no other folder can have the files that the rows name
 */
export function belongTogether({ files, named, rows }: Agreement, isOnly: boolean): boolean {
  if (files === 0) return rows === 0;
  if (named === 0) return false;
  return isTolerated(files - named, files) && (!isOnly || isTolerated(rows - named, rows));
}

/** Whether every file has its row, and where no other folder can have it, every row its file. */
export function agreeWholly({ files, named, rows }: Agreement, isOnly: boolean): boolean {
  return files === named && (!isOnly || rows <= named);
}

/** `12 files, 10 of them named by the database; 15 rows that name files, 5 of which are not here` */
export function describeAgreement({ files, named, rows }: Agreement): string {
  return (
    `the folder has ${files} files, of which the database names ${named}; ` +
    `the database names ${rows} files, of which ${Math.max(0, rows - named)} are not in the folder`
  );
}

function isTolerated(count: number, of: number): boolean {
  return count <= Math.max(toleratedAtLeast, of * toleratedShare);
}
