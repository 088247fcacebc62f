import type { Database } from '../../storage/database.js';
import { chainNamed, embedderOf, type InstalledModel, isFormerOf } from '../embedder-figures.js';
import type { Perceptions } from '../perceptions.js';
import type { EmbedderChange } from './embedder-change.js';

export interface FollowRevisionDeps {
  readonly database: Pick<Database, 'query'>;
  readonly installedModel: InstalledModel;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly change: Pick<EmbedderChange, 'read' | 'begin'>;
  /** Called for each perception whose images will be embedded again. */
  readonly onBegun: (perception: { readonly accountId: number; readonly perceptionId: number }) => void;
}

/** Perceptions read at once. */
const batchSize = 300;

/**
 * Begins to embed the images of perceptions again whose vectors were made by another program with the same model, in a lower revision
 * or with another version of its file: until that has ended, they are searched as before. A change that is under way, held or failed is left to those who asked for it.
 */
export async function followRevision(deps: FollowRevisionDeps, signal: AbortSignal): Promise<void> {
  const { database, installedModel, perceptions, change, onBegun } = deps;
  for (let after = { accountId: 0, id: 0 }; ; ) {
    const found = await database.query
      .selectFrom('perception')
      .select(['account_id as accountId', 'id', 'embedder'])
      .where('deleted_at', 'is', null)
      .where(({ and, or, eb }) =>
        or([
          eb('account_id', '>', after.accountId),
          and([eb('account_id', '=', after.accountId), eb('id', '>', after.id)]),
        ]),
      )
      .orderBy('account_id')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const { accountId, id, embedder } of found) {
      signal.throwIfAborted();
      const chain = chainNamed(embedder);
      if (chain === null || !isFormerOf(embedder, embedderOf(chain, installedModel))) continue;
      const { state } = (await change.read(accountId, { id })).change;
      if (state !== 'none') continue;
      const perception = await perceptions.read(accountId, id);
      if (await change.begin(accountId, perception, { chain, leaveOut: false })) {
        onBegun({ accountId, perceptionId: id });
      }
    }
    const last = found.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
