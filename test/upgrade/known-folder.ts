import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** What a version made in its data folder, as a later one has to show it. */
export const KnownFolder = Type.Object({
  /** Hash of the version that made it. */
  commit: Type.String(),
  key: Type.String(),
  /** Names of the changes of the schema that the version knew, in order. */
  migrations: Type.Array(Type.String()),
  /** An analysis, whose image is kept. */
  fileid: Type.String(),
  perception: Type.Object({
    id: Type.Number(),
    people: Type.Array(Type.Object({ keyId: Type.String(), imageId: Type.Number() })),
  }),
  dataset: Type.Object({ id: Type.Number(), images: Type.Number() }),
  /** A classifier that was uploaded: it names the colour of an image. */
  model: Type.Object({ id: Type.Number() }),
  drop: Type.Object({
    id: Type.Number(),
    /** Kept, because the drop had no destination when it came. */
    keptFile: Type.String(),
    /** Not delivered, because the destination could not be reached. */
    waitingFile: Type.String(),
  }),
});
export type KnownFolder = Static<typeof KnownFolder>;

/** By the last change of the schema that each has. */
export const folderNames = ['0012-drops', '0028-terms', '0034-agreement-of-replicas'] as const;

const sources = new URL('../../upgrade/data/', import.meta.url);
const run = promisify(execFile);

export async function readKnownFolder(name: string): Promise<KnownFolder> {
  return Value.Parse(KnownFolder, JSON.parse(await readFile(new URL(`${name}.json`, sources), 'utf8')));
}

/** Makes the data folder as the version of that time left it. */
export async function unpackFolder(name: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 });
  await run('tar', ['-xzf', new URL(`${name}.tar.gz`, sources).pathname, '-C', dataDir]);
}

/** Packs a data folder without what a later start makes anew or what belongs to one start. */
export async function packFolder(name: string, dataDir: string): Promise<void> {
  const left = ['thumbnails', 'features', 'backups', 'spool', 'lock.db', '*.sock'].map(
    (path) => `--exclude=./${path}`,
  );
  const steady = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  const target = new URL(`${name}.tar.gz`, sources).pathname;
  await run('tar', ['-C', dataDir, ...left, ...steady, '-I', 'gzip -9n', '-cf', target, '.']);
}
