import { open } from 'node:fs/promises';
import { headerName } from '../operate/backup/archive-format.js';
import { compressionOf } from '../storage/archive/compression.js';

/** `database`: a database of SQLite alone. `archive`: what `backup --with-files` wrote. */
type BackupKind = 'database' | 'archive';

const postgresDump = {
  bytes: 'PGDMP',
  name: 'a dump of a PostgreSQL database',
  advice: 'Restore it with pg_restore --clean --if-exists, while no service runs',
} as const;

/** Tells what a file is by its first bytes. Throws with what to do where it is no backup, and errors of reading. */
export async function recogniseBackup(path: string): Promise<BackupKind> {
  const head = await readHead(path);
  if (head.startsWith('SQLite format 3\0')) return 'database';
  const isTar = head.startsWith('ustar', 257);
  if (isTar && head.startsWith(`${headerName}\0`)) return 'archive';
  const compression = compressionOf(head);
  if (compression) {
    const { name, unpack } = compression;
    throw new Error(`${path} is ${name}. Unpack it first${unpack === null ? '' : `: ${unpack} ${path}`}.`);
  }
  if (head.startsWith(postgresDump.bytes)) {
    throw new Error(`${path} is ${postgresDump.name}. ${postgresDump.advice}.`);
  }
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
