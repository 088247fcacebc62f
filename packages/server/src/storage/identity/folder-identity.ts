import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DataFolder } from '../data-folder.js';
import { writeDurably } from '../durable-folder.js';
import { StorageError } from '../storage-error.js';

const uid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

const folderIdentitySchema = Type.Object({
  installation: uid,
  folder: uid,
  /** 0: the database was not known to have this folder yet when this was written. */
  generation: Type.Integer({ minimum: 0 }),
  /** Being written into the database: after a crash it has this one or the one before. */
  next: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** What a data folder knows of itself: its installation, which of the installation's folders it is, and how new it is. */
export type FolderIdentity = Static<typeof folderIdentitySchema>;

type IdentityFile = Pick<DataFolder, 'identityPath'>;

/** Null where there is none. */
export async function readFolderIdentity({ identityPath }: IdentityFile): Promise<FolderIdentity | null> {
  const text = await readFile(identityPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new StorageError('access', `${identityPath} cannot be read (${error.message}).`, { cause: error });
  });
  if (text === null) return null;
  try {
    return Value.Parse(folderIdentitySchema, JSON.parse(text));
  } catch (error) {
    throw new StorageError(
      'damaged',
      `${identityPath} is damaged. Put it back from a copy of the data folder; without one, delete it and run: npm run -s lynceus -- adopt`,
      { cause: error },
    );
  }
}

/** On disk when it resolves. */
export async function writeFolderIdentity(
  { identityPath }: IdentityFile,
  identity: FolderIdentity,
): Promise<void> {
  await writeDurably(identityPath, `${JSON.stringify(identity)}\n`);
}
