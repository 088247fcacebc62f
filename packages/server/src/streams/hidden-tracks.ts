import { type RemoveTracksDeps, removeTracks } from './remove-tracks.js';

const batchSize = 300;

/** Deletes tracks that are hidden: of people who were deleted, and those whose deletion was cut short. */
export async function removeHiddenTracks(deps: RemoveTracksDeps): Promise<void> {
  const { query } = deps.database;
  for (let after = ''; ; ) {
    const hidden = await query
      .selectFrom('stream_track')
      .select(['id', 'account_id as accountId'])
      .where('deleted_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = hidden.at(-1);
    if (last === undefined) return;
    after = last.id;
    for (const accountId of new Set(hidden.map((track) => track.accountId))) {
      const own = hidden.filter((track) => track.accountId === accountId);
      await removeTracks(
        deps,
        accountId,
        own.map(({ id }) => id),
      );
    }
  }
}
