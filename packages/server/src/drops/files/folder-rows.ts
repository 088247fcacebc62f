import { sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { DropArea } from '../../storage/tables/drops.js';
import { DropError } from '../drop-error.js';
import type { DropEntry, DropPath } from '../drop-folders.js';
import { type DropRef, filesOf, findFile } from './file-rows.js';
import { areaOf, pathBelow, writableLocation } from './location.js';

/** Of one drop: far more than cards of cameras have. */
const maxFolders = 10_000;

/** Folders that clients made in `incoming`; in `done` and `failed` there is one for each day on which a file ended. */
export function createFolderRows({
  database,
  nowMs,
}: {
  readonly database: Database;
  readonly nowMs: () => number;
}) {
  const { query } = database;
  const made = ({ accountId, dropId }: DropRef) =>
    query.selectFrom('drop_folder').where('account_id', '=', accountId).where('drop_id', '=', dropId);

  const isThere = async (drop: DropRef, path: DropPath): Promise<boolean> => {
    if (path.length === 0) return true;
    const area = areaOf(path);
    if (area === null) return false;
    if (path.length === 1) return true;
    if (area !== 'incoming') return path.length === 2 && (await hasFiles(drop, area, pathBelow(path)));
    const row = await made(drop).select('path').where('path', '=', pathBelow(path)).executeTakeFirst();
    return row !== undefined;
  };

  const hasFiles = async (drop: DropRef, area: DropArea, parent: string): Promise<boolean> =>
    (await filesOf(database, drop)
      .clearSelect()
      .select('id')
      .where('area', '=', area)
      .where('parent', '=', parent)
      .limit(1)
      .executeTakeFirst()) !== undefined;

  return {
    isThere,

    /** Those directly in a folder, by name. */
    async *list(drop: DropRef, path: DropPath): AsyncIterable<DropEntry> {
      const area = areaOf(path);
      if (area === null) return;
      if (area === 'incoming') {
        const rows = await made(drop)
          .select(['path', 'created_at'])
          .where('parent', '=', pathBelow(path))
          .orderBy('path')
          .execute();
        for (const row of rows) yield folderEntry(row.path.split('/').at(-1) ?? '', row.created_at);
        return;
      }
      if (path.length > 1) return;
      // From one day to the next by the index: there may be any number of files in between.
      for (let after = ''; ; ) {
        const next = await filesOf(database, drop)
          .clearSelect()
          .select(['parent', 'modified_at'])
          .where('area', '=', area)
          .where('parent', '>', after)
          .orderBy('parent')
          .limit(1)
          .executeTakeFirst();
        if (next === undefined) return;
        yield folderEntry(next.parent, next.modified_at);
        after = next.parent;
      }
    },

    async make(drop: DropRef, path: DropPath): Promise<void> {
      const { parent, name } = writableLocation(path);
      const isTaken =
        (await isThere(drop, path)) ||
        (await findFile(database, drop, { area: 'incoming', parent, name })) !== null;
      if (isTaken) throw new DropError('exists', `${name} is there already`);
      if (!(await isThere(drop, path.slice(0, -1)))) throw noFolder(path.slice(0, -1));
      const { count } = await made(drop)
        .select((from) => from.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (count >= maxFolders) throw new DropError('too-many', `a drop has at most ${maxFolders} folders`);
      await database.write([
        query
          .insertInto('drop_folder')
          .values({
            account_id: drop.accountId,
            drop_id: drop.dropId,
            path: pathBelow(path),
            parent,
            created_at: nowMs(),
          })
          .onConflict((conflict) => conflict.doNothing()),
      ]);
    },

    async rename(drop: DropRef, from: DropPath, to: DropPath): Promise<void> {
      writableLocation(from);
      const { parent } = writableLocation(to);
      const [old, wanted] = [pathBelow(from), pathBelow(to)];
      if (`${wanted}/`.startsWith(`${old}/`))
        throw new DropError('name', 'a folder cannot be moved into itself');
      if (await isThere(drop, to)) throw new DropError('exists', 'a folder of that name is there already');
      if (!(await isThere(drop, to.slice(0, -1)))) throw noFolder(to.slice(0, -1));
      const moved = (column: 'path' | 'parent') =>
        sql<string>`cast(${wanted} as text) || substr(${sql.ref(column)}, ${[...old].length + 1})`;
      const isBelow = (column: 'path' | 'parent') =>
        sql<boolean>`substr(${sql.ref(column)}, 1, ${[...old].length + 1}) = ${`${old}/`}`;
      const folders = () =>
        query
          .updateTable('drop_folder')
          .where('account_id', '=', drop.accountId)
          .where('drop_id', '=', drop.dropId);
      await database.write([
        folders()
          .set({ path: moved('path'), parent: moved('parent') })
          .where(isBelow('path')),
        folders().set({ path: wanted, parent }).where('path', '=', old),
        query
          .updateTable('drop_file')
          .set({ parent: moved('parent') })
          .where('account_id', '=', drop.accountId)
          .where('drop_id', '=', drop.dropId)
          .where('area', '=', 'incoming')
          .where(({ or, eb }) => or([eb('parent', '=', old), isBelow('parent')])),
      ]);
    },

    async remove(drop: DropRef, path: DropPath): Promise<void> {
      writableLocation(path);
      if (!(await isThere(drop, path))) throw noFolder(path);
      const below = pathBelow(path);
      const [removed] = await database.write(
        [
          query
            .deleteFrom('drop_folder')
            .where('account_id', '=', drop.accountId)
            .where('drop_id', '=', drop.dropId)
            .where('path', '=', below)
            .where(({ not, exists }) => not(exists(made(drop).select('path').where('parent', '=', below))))
            .where(({ not, exists }) =>
              not(
                exists(
                  filesOf(database, drop)
                    .clearSelect()
                    .select('id')
                    .where('area', '=', 'incoming')
                    .where('parent', '=', below),
                ),
              ),
            ),
        ],
        { isSerialized: true },
      );
      if (removed?.changes !== 1) throw new DropError('not-empty', 'the folder is not empty');
    },
  };
}

export function folderEntry(name: string, modifiedMs: number): DropEntry {
  return { name, kind: 'folder', sizeBytes: 0, modifiedMs };
}

export function noFolder(path: DropPath): DropError {
  return new DropError('not-found', `there is no folder /${path.join('/')}: make it first`);
}
