import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { withFile } from '../../storage/blobs/blob-store.js';
import { ownerOfId } from '../../storage/blobs/owned-id.js';
import type { Database } from '../../storage/database.js';
import type { SweptStore } from '../../storage/quarantine/sweep-store.js';
import { sweptFiles } from '../../storage/quarantine/swept-files.js';
import type { VersionFiles } from './version-files.js';

/** The field of a manifest that leads to the owner of a version. */
const OfModel = Type.Object({ id: Type.String() });

/** Files of versions. */
export function sweptVersions(
  database: Pick<Database, 'query'>,
  files: Pick<VersionFiles, 'list' | 'placeOf' | 'hold'>,
): SweptStore {
  const findModel = async (versionUid: string): Promise<string | null> => {
    try {
      const text = await withFile(files, versionUid, (dir) => readFile(join(dir, 'manifest.json'), 'utf8'));
      const manifest: unknown = text === null ? null : JSON.parse(text);
      return Value.Check(OfModel, manifest) ? manifest.id : null;
    } catch {
      // Without a readable manifest the owner is unknown.
      return null;
    }
  };
  return {
    ...sweptFiles('models', database, {
      list: () => files.list(),
      placeOf: (uid) => files.placeOf(uid),
    }),

    async findOwners(ids) {
      const owners = new Map<string, number>();
      for (const id of ids) {
        if (ownerOfId(id) !== null) continue;
        const modelUid = await findModel(id);
        if (modelUid === null) continue;
        const model = await database.query
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
