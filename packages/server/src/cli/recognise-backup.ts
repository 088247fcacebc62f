import { open } from 'node:fs/promises';
import { headerName } from '../backup/archive-format.js';

/** `database`: a database of SQLite alone. `archive`: what `backup --with-files` wrote. */
export type BackupKind = 'database' | 'archive';

/** Forms in which backups are kept, and what has to be done with them first; by the bytes that a file begins with. */
const otherForms: readonly (readonly [bytes: string, name: string, advice: string])[] = [
  ['\x1f\x8b', 'compressed by gzip', 'Unpack it first: gunzip FILE'],
  ['\x28\xb5\x2f\xfd', 'compressed by zstd', 'Unpack it first: unzstd FILE'],
  ['\xfd7zXZ\0', 'compressed by xz', 'Unpack it first: unxz FILE'],
  ['BZh', 'compressed by bzip2', 'Unpack it first: bunzip2 FILE'],
  ['PK\x03\x04', 'a zip file', 'Unpack it first'],
  [
    'PGDMP',
    'a dump of a PostgreSQL database',
    'Restore it with pg_restore --clean --if-exists, while no service runs',
  ],
];

/** Tells what a file is by its first bytes. Throws with what to do where it is no backup, and errors of reading. */
export async function recogniseBackup(path: string): Promise<BackupKind> {
  const head = await readHead(path);
  if (head.startsWith('SQLite format 3\0')) return 'database';
  const isTar = head.startsWith('ustar', 257);
  if (isTar && head.startsWith(`${headerName}\0`)) return 'archive';
  const form = otherForms.find(([bytes]) => head.startsWith(bytes));
  if (form) throw new Error(`${path} is ${form[1]}. ${form[2].replace('FILE', path)}.`);
  const what = head === '' ? 'is empty' : isTar ? 'is a tar file of something else' : 'is no backup';
  throw new Error(
    `${path} ${what}. Name a file that lynceus backup wrote, or an upgrade. The archive of a perception is for lynceus faces import.`,
  );
}

/** The header of the first member of a tar file. */
async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
