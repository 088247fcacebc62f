import type { Database } from '../../storage/database.js';
import type { Media } from '../media.js';

const batchSize = 300;

/** Deletes the thumbnails of people who were deleted. Nobody is shown one any more since then. */
export async function forgetPeopleInVideos(
  { query }: Pick<Database, 'query'>,
  media: Pick<Media, 'remove'>,
): Promise<void> {
  for (;;) {
    const found = await query
      .selectFrom('media_blob')
      .select(['account_id', 'blob_id'])
      .where('person_id', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('person')
              .select('person.id')
              .whereRef('person.account_id', '=', 'media_blob.account_id')
              .whereRef('person.id', '=', 'media_blob.person_id'),
          ),
        ),
      )
      .limit(batchSize)
      .execute();
    for (const accountId of new Set(found.map(({ account_id }) => account_id))) {
      const own = found.filter(({ account_id }) => account_id === accountId);
      await media.remove(
        accountId,
        own.map(({ blob_id }) => blob_id),
      );
    }
    if (found.length < batchSize) return;
  }
}
