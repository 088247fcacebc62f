import type { Database } from '../../storage/database.js';
import type { SweptStore } from '../../storage/quarantine/sweep-store.js';
import { fileOfPart, partId, shownPart } from './file-parts.js';
import type { FolderFileBytes } from './folder-file-bytes.js';

/** Bytes of drops' files in the data folder, as far as rows need them. */
export function sweptDropBytes(
  { query }: Pick<Database, 'query'>,
  { list, pathOf }: Pick<FolderFileBytes, 'list' | 'pathOf'>,
): SweptStore {
  const readRows = async (ids: readonly string[]) => {
    const rows = await query
      .selectFrom('drop_file')
      .select(['id', 'account_id as accountId', 'state', 'output'])
      .where('id', 'in', [...new Set([...ids, ...ids.map(fileOfPart)])])
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  };
  return {
    name: 'drops',
    list,
    placeOf: pathOf,

    async findNamed(ids) {
      const rows = await readRows(ids);
      return new Set(
        ids.filter((id) => {
          const fileId = fileOfPart(id);
          const [own, file] = [rows.get(id), rows.get(fileId)];
          // Of what is done, one part is shown, and its sidecar by a row of its own; what is not ended may need all of them.
          const isNeeded =
            own !== undefined
              ? file?.state !== 'done' || shownPart(own) === 'original'
              : file !== undefined && file.state !== 'done';
          const isShown = file?.state === 'done' && partId(fileId, shownPart(file)) === id;
          return isNeeded || isShown;
        }),
      );
    },

    async findOwners(ids) {
      const rows = await readRows(ids);
      const owners = new Map<string, number>();
      for (const id of ids) {
        const file = rows.get(fileOfPart(id)) ?? rows.get(id);
        if (file) owners.set(id, file.accountId);
      }
      return owners;
    },
  };
}
