import { type Compilable, sql } from 'kysely';
import { isRawName } from '../../storage/archive/image-name.js';
import type { Database } from '../../storage/database.js';
import { type FileBytes, withHeld } from '../files/file-bytes.js';
import { removeWork } from '../files/file-jobs.js';
import { partId } from '../files/file-parts.js';
import { deleteEvents, type FileRow, filesOf } from '../files/file-rows.js';
import { readLikelyKind } from '../keywords/file-kind.js';
import {
  fullSidecarName,
  isSidecarName,
  isSidecarOf,
  receivedSidecarNames,
  sidecarName,
} from '../keywords/sidecar-name.js';

// Sidecars that clients send beside their raw files hold ratings and developments. A sidecar and its image make one delivery: the
// image's write step takes the sidecar in. One that comes later gets the image's keywords and is delivered by itself.

interface SidecarDeps {
  readonly database: Database;
  readonly clock: () => number;
}

const dayMs = 86_400_000;

/** Whether an arrived file is a sidecar: by its name, unless its content is that of an image. Throws errors of reading. */
export async function isReceivedSidecar(bytes: Pick<FileBytes, 'hold'>, row: FileRow): Promise<boolean> {
  if (!isSidecarName(row.name)) return false;
  return withHeld(bytes, row.id, async (path) => (await readLikelyKind(path)) === null);
}

/**
 * The sidecar that a client sent for an image: one that has arrived, or that ended by itself because its image came late. Null where
 * there is none. Throws while one is being received.
 */
export async function findReceivedSidecar(deps: SidecarDeps, image: FileRow): Promise<FileRow | null> {
  const names = receivedSidecarNames(image.name);
  const rows = (await filesNear(deps, image, { names })).filter(isLoneFile);
  const underWay = rows.find(({ state }) => state === 'receiving');
  if (underWay) throw new Error(`waits for its sidecar ${underWay.name}, which is being received`);
  const isShared = await isSharedSidecar(deps, image);
  const ready = rows.filter(
    ({ state, name }) =>
      ['arrived', 'failed', 'done'].includes(state) && !(isShared && name !== fullSidecarName(image.name)),
  );
  return names.flatMap((name) => ready.filter((row) => row.name === name))[0] ?? null;
}

/** Adobe's programs read no sidecar of a DNG: one that a DNG and another raw file could have is that of the other. */
async function isSharedSidecar(deps: SidecarDeps, { name, ...image }: FileRow): Promise<boolean> {
  if (!/\.dng$/i.test(name)) return false;
  const near = await filesNear(
    deps,
    { name, ...image },
    { stem: sidecarName(name).slice(0, -'.xmp'.length) },
  );
  return near.some((other) => other.name !== name && isRawName(other.name) && !/\.dng$/i.test(other.name));
}

/** The image that a received sidecar belongs to: a raw file first. Null where there is none. */
export async function findImageOfSidecar(deps: SidecarDeps, sidecar: FileRow): Promise<FileRow | null> {
  const stem = sidecar.name.slice(0, -'.xmp'.length);
  const near = [
    ...(await filesNear(deps, sidecar, { names: [stem] })),
    ...(await filesNear(deps, sidecar, { stem })),
  ].filter(({ id, name }) => id !== sidecar.id && isSidecarOf(sidecar.name, name));
  return near.find(({ name }) => isRawName(name)) ?? near[0] ?? null;
}

/**
 * For the unit in which an image's output is recorded: the sidecar is part of that delivery now, and no file of its own. One that was
 * delivered by itself stays in `done`.
 */
export function takeSidecarIn(database: Database, image: FileRow, sidecar: FileRow): readonly Compilable[] {
  const { query } = database;
  const drop = { accountId: sidecar.account_id, dropId: sidecar.drop_id };
  return [
    query
      .deleteFrom('drop_file')
      .where('id', 'in', [sidecar.id, partId(sidecar.id, 'reason')])
      .where('state', 'in', ['arrived', 'failed'])
      // Unless a client took the image back: then nothing of it was recorded.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('drop_file as image')
            .select('image.id')
            .where('image.id', '=', image.id)
            .where('image.state', '=', 'written'),
        ),
      ),
    removeWork(database, drop, sidecar.id),
    deleteEvents(database, [sidecar.id]),
  ];
}

/** Files beside another one in `incoming`, and those that came beside it and ended today or yesterday, in days of UTC. */
async function filesNear(
  { database, clock }: SidecarDeps,
  row: FileRow,
  wanted: { readonly names: readonly string[] } | { readonly stem: string },
): Promise<readonly FileRow[]> {
  const now = clock();
  const days = [now, now - dayMs].map((at) => new Date(at).toISOString().slice(0, 10));
  const rows = await filesOf(database, { accountId: row.account_id, dropId: row.drop_id })
    .where('area', 'in', ['incoming', 'done', 'failed'])
    .where('parent', 'in', [row.parent, ...days])
    .where((where) =>
      'names' in wanted
        ? where('name', 'in', wanted.names)
        : sql<boolean>`name like ${`${wanted.stem.replace(/[\\%_]/g, '\\$&')}.%`} escape '\\'`,
    )
    .orderBy('created_at', 'desc')
    .execute();
  return rows.filter(({ area, parent, came_parent: cameParent }) =>
    area === 'incoming' ? parent === row.parent : cameParent === row.parent,
  );
}

/** A row of its own, and not what is shown beside a file that has ended. */
function isLoneFile({ area, came_name: cameName }: FileRow): boolean {
  return area === 'incoming' || cameName !== null;
}
