import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import type { VersionFiles } from './version-files.js';

/** What of a manifest says whose the version was. */
const OfModel = Type.Object({ id: Type.String() });

/** Folders of versions, which rows of versions name. */
export function sweptVersions(
  { query }: Pick<Database, 'query'>,
  files: Pick<VersionFiles, 'list' | 'folder'>,
): SweptStore {
  const findModel = async (versionUid: string): Promise<string | null> => {
    try {
      const manifest: unknown = JSON.parse(
        await readFile(join(files.folder(versionUid), 'manifest.json'), 'utf8'),
      );
      return Value.Check(OfModel, manifest) ? manifest.id : null;
    } catch {
      // A folder without a manifest that can be read is nobody's.
      return null;
    }
  };
  return {
    name: 'models',
    list: () => files.list(),
    pathOf: (uid) => files.folder(uid),

    async findNamed(ids) {
      const rows = await query.selectFrom('model_version').select('uid').where('uid', 'in', ids).execute();
      return new Set(rows.map(({ uid }) => uid));
    },

    async findOwners(ids) {
      const owners = new Map<string, number>();
      for (const id of ids) {
        const modelUid = await findModel(id);
        if (modelUid === null) continue;
        const model = await query
          .selectFrom('model')
          .select('account_id as accountId')
          .where('uid', '=', modelUid)
          .executeTakeFirst();
        if (model) owners.set(id, model.accountId);
      }
      return owners;
    },
  };
}
