import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { chainNamed, embedderOf, type InstalledModel, isFormerOf } from '../embedder-figures.js';
import type { GalleryRef } from '../index/face-index.js';
import { missingModels } from '../look-at-faces.js';
import type { Perceptions } from '../perceptions.js';
import type { EmbedderChange } from './embedder-change.js';

interface FollowRevisionDeps {
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
 * Begins to embed the images of perceptions again whose vectors were made by another program with the same model, in a lower
 * revision or with another version of its file: until that has ended, they are searched as before. A change that is under way, held or failed
 * is left to those who asked for it, unless it ended for an earlier version or revision of this model.
 */
export async function followRevision(deps: FollowRevisionDeps, signal: AbortSignal): Promise<void> {
  const { database } = deps;
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
      await followOne(deps, { accountId, perceptionId: id, embedder });
    }
    const last = found.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function followOne(
  { installedModel, perceptions, change, onBegun }: FollowRevisionDeps,
  { accountId, perceptionId, embedder }: GalleryRef,
): Promise<void> {
  const chain = chainNamed(embedder);
  if (chain === null || missingModels(chain, installedModel).length > 0) return;
  const present = embedderOf(chain, installedModel);
  if (!isFormerOf(embedder, present)) return;
  try {
    const { state, wanted } = (await change.read(accountId, { id: perceptionId })).change;
    const isOutdated =
      (state === 'held' || state === 'failed') && wanted !== null && isFormerOf(wanted.embedder, present);
    if (state !== 'none' && !isOutdated) return;
    const perception = await perceptions.read(accountId, perceptionId);
    if (await change.begin(accountId, perception, { chain, leaveOut: false })) {
      onBegun({ accountId, perceptionId });
    }
  } catch (error) {
    // Another change was begun meanwhile, or the perception was deleted: the others are followed all the same.
    const isLeft = error instanceof ServiceError && (error.code === 'conflict' || error.code === 'not_found');
    if (!isLeft) throw error;
  }
}
