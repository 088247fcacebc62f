import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recogniseBackup } from './recognise-backup.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recognise-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The header of the first member of a tar file. */
function tarOf(name: string): Buffer {
  const header = Buffer.alloc(1024);
  header.write(name);
  header.write('ustar\0', 257);
  return header;
}

async function recognise(bytes: string | Buffer) {
  const path = join(folder, 'backup');
  await writeFile(path, bytes, 'latin1');
  return recogniseBackup(path).catch((error: unknown) => String(error));
}

test.each([
  ['a database', 'SQLite format 3\0', 'database'],
  ['an archive of an installation', tarOf('archive.json'), 'archive'],
  ['an archive under gzip', '\x1f\x8b\x08', /compressed by gzip. Unpack it first: gunzip \//],
  ['a dump of PostgreSQL', 'PGDMP\x01', /Restore it with pg_restore/],
  ['another tar file', tarOf('perception.json'), /is a tar file of something else/],
  ['a name that only begins like an archive', tarOf('archive.json.old'), /tar file of something else/],
  ['an empty file', '', /is empty/],
  ['an image', '\xff\xd8\xff', /is no backup/],
])('%s is recognised by its first bytes', async (_, bytes, expected) => {
  const kind = await recognise(bytes);
  if (typeof expected === 'string') expect(kind).toBe(expected);
  else expect(kind).toMatch(expected);
});
