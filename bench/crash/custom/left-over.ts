import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Storage } from '#server/storage/open-storage.js';

import { orphanAgeMs } from '../../kill/age-files.js';

export interface LeftOverAsked {
  readonly dataDir: string;
  readonly spoolDir: string;
  /** When the service died. */
  readonly crashedMs: number;
}

/** Files of a dead service that no row names, in words. */
export async function findLeftOver(
  { database: { query } }: Pick<Storage, 'database'>,
  { dataDir, spoolDir, crashedMs }: LeftOverAsked,
): Promise<readonly string[]> {
  const folder = dataFolder(dataDir);
  const images = await query.selectFrom('dataset_image').select(['blob_id', 'image_sha256']).execute();
  const blobs = new Set(images.map(({ blob_id }) => blob_id));
  const hashes = new Set(images.map(({ image_sha256 }) => image_sha256));
  const versions = new Set(
    (await query.selectFrom('model_version').select('uid').execute()).map(({ uid }) => uid),
  );
  // A zip whose job ended in this life is deleted by the next sweep.
  const jobs = await query
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', 'dataset-import')
    .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', crashedMs)]))
    .execute();
  const payloads = jobs.map(({ payload }) => payload).join(' ');
  // Findings of an import stay for weeks after its end.
  const imports = await query
    .selectFrom('job')
    .select('payload')
    .where('kind', '=', 'dataset-import')
    .execute();
  const findings = imports.map(({ payload }) => /"findingsId":"([^"]+)"/.exec(payload)?.[1]);
  const old = async (
    dir: string,
    isNamed: (path: string) => boolean,
    recursive = true,
  ): Promise<string[]> => {
    const found = await readdir(dir, { recursive, withFileTypes: true }).catch(() => []);
    const left: string[] = [];
    for (const entry of found) {
      const path = join(entry.parentPath, entry.name);
      if ((recursive && entry.isDirectory()) || isNamed(path)) continue;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < crashedMs - orphanAgeMs)
        left.push(`${relative(dataDir, path)} is left of a service before`);
    }
    return left;
  };
  return [
    ...(await old(folder.datasetsDir, (path) => blobs.has(basename(path)))),
    ...(await old(
      folder.importsDir,
      (path) => payloads.includes(basename(path)) || findings.includes(basename(path)),
    )),
    ...(await old(
      folder.customModelsDir,
      (path) => versions.has(basename(path)) || basename(path) === 'drafts',
      false,
    )),
    ...(await old(join(folder.customModelsDir, 'drafts'), () => false, false)),
    ...(await old(folder.featuresDir, (path) => hashes.has(basename(path)))),
    ...(await old(spoolDir, () => false)),
  ];
}
