import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import { type DeletionReceipt, emptyReceipt, sumReceipts } from './deletion-receipt.js';
import type { FaceIndex } from './index/face-index.js';
import type { Perception } from './perception.js';
import { noSuchPerception } from './perception-rows.js';
import { reEmbedPerceptionKind } from './re-embedding/re-embed-perception.js';

/** Deleting for good: rows, vectors and images, from the database, the index and the disk; with a receipt. */
export interface Deletion {
  /** Nobody sees it from the first moment on; one that was cut short is ended by `finish`. */
  removePerception(accountId: number, perceptionId: number): Promise<DeletionReceipt>;
  removePerson(accountId: number, personId: number): Promise<DeletionReceipt>;
  /** Those of these ids that there are. */
  removeImages(accountId: number, imageIds: readonly number[]): Promise<DeletionReceipt>;
  /** Removes a perception that nobody sees: one that is being deleted, or was not made to the end. */
  finishOne(accountId: number, perception: Pick<Perception, 'id' | 'embedder'>): Promise<DeletionReceipt>;
  /** Ends deletions that a killed service left half done; answers how many. */
  finish(): Promise<number>;
}

export interface DeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly index: Pick<FaceIndex, 'drop'>;
  readonly imageFiles: Pick<BlobStore, 'remove'>;
}

/** Images in one unit, so that it holds no other writer up. */
const batchSize = 300;

export function createDeletion({ database, clock, index, imageFiles }: DeletionDeps): Deletion {
  const { query } = database;

  const imagesOf = (accountId: number) =>
    query
      .selectFrom('face_image')
      .select(['face_image.id', 'face_image.blob_id as blobId'])
      .where('face_image.account_id', '=', accountId)
      .limit(batchSize);

  /** One batch; the rows first, then what they named. */
  const removeBatch = async (accountId: number, ids: readonly number[]): Promise<DeletionReceipt> => {
    const [embeddings, deleted] = await database.write([
      query.deleteFrom('face_embedding').where('account_id', '=', accountId).where('image_id', 'in', ids),
      query
        .deleteFrom('face_image')
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .returning(['blob_id', 'image_bytes']),
    ]);
    const rows = deleted?.rows ?? [];
    await Promise.all(rows.map((row) => imageFiles.remove(String(row['blob_id']))));
    return {
      ...emptyReceipt,
      images: rows.length,
      embeddings: embeddings?.changes ?? 0,
      bytes: rows.reduce((sum, row) => sum + Number(row['image_bytes']), 0),
    };
  };

  const removeAll = async (
    accountId: number,
    choose: (images: ReturnType<typeof imagesOf>) => ReturnType<typeof imagesOf>,
    isSeen: boolean,
  ): Promise<DeletionReceipt> => {
    let receipt = emptyReceipt;
    for (;;) {
      const images = await choose(imagesOf(accountId)).execute();
      if (images.length === 0) return receipt;
      // Where nobody sees them the files may go first: a service killed in between leaves no file that no row names.
      if (!isSeen) await Promise.all(images.map(({ blobId }) => imageFiles.remove(blobId)));
      const ids = images.map(({ id }) => id);
      receipt = sumReceipts(receipt, await removeBatch(accountId, ids));
    }
  };

  /** One person, or everybody in a perception and the perception; images first. */
  const removePeople = async (
    accountId: number,
    whole: 'person' | 'perception',
    id: number,
  ): Promise<DeletionReceipt> => {
    const [ofImage, ofPerson] =
      whole === 'person'
        ? (['face_image.person_id', 'id'] as const)
        : (['face_image.perception_id', 'perception_id'] as const);
    const people = query
      .selectFrom('person')
      .select('id')
      .where('account_id', '=', accountId)
      .where(ofPerson, '=', id);
    const statements = [
      query
        .deleteFrom('face_correction')
        .where('account_id', '=', accountId)
        .where('person_id', 'in', people),
      query.deleteFrom('person').where('account_id', '=', accountId).where(ofPerson, '=', id),
      ...(whole === 'person'
        ? []
        : [
            query.deleteFrom('perception').where('account_id', '=', accountId).where('id', '=', id),
            // Work on it ends with it: whoever does it finds its lease gone.
            query
              .deleteFrom('job')
              .where('account_id', '=', accountId)
              .where('kind', '=', reEmbedPerceptionKind)
              .where('subject', '=', String(id)),
          ]),
    ];
    let receipt = emptyReceipt;
    for (;;) {
      receipt = sumReceipts(
        receipt,
        await removeAll(accountId, (rows) => rows.where(ofImage, '=', id), whole === 'person'),
      );
      const done = await database.write(statements).catch((error: unknown) => {
        // An image was added meanwhile, which keeps its person.
        if (error instanceof StorageError && error.code === 'constraint') return null;
        throw error;
      });
      if (done === null) continue;
      const [corrections, deleted] = done;
      return { ...receipt, corrections: corrections?.changes ?? 0, people: deleted?.changes ?? 0 };
    }
  };

  const emptyPerception = async (
    accountId: number,
    { id, embedder }: Pick<Perception, 'id' | 'embedder'>,
  ): Promise<DeletionReceipt> => {
    const receipt = await removePeople(accountId, 'perception', id);
    await index.drop({ accountId, perceptionId: id, embedder });
    return receipt;
  };

  return {
    async removePerception(accountId, perceptionId) {
      const [marked] = await database.write([
        query
          .updateTable('perception')
          .set({ deleted_at: clock() })
          .where('account_id', '=', accountId)
          .where('id', '=', perceptionId)
          .where('deleted_at', 'is', null)
          .returning('embedder'),
      ]);
      const row = marked?.rows[0];
      if (!row) throw noSuchPerception(String(perceptionId));
      return emptyPerception(accountId, { id: perceptionId, embedder: String(row['embedder']) });
    },

    async removePerson(accountId, personId) {
      const receipt = await removePeople(accountId, 'person', personId);
      if (receipt.people !== 1) {
        throw new ServiceError('not_found', `person ${personId} is not one of your people`);
      }
      return receipt;
    },

    async removeImages(accountId, imageIds) {
      let receipt = emptyReceipt;
      for (let at = 0; at < imageIds.length; at += batchSize) {
        const ids = imageIds.slice(at, at + batchSize);
        receipt = sumReceipts(receipt, await removeBatch(accountId, ids));
      }
      return receipt;
    },

    finishOne: emptyPerception,

    async finish() {
      const rows = await query
        .selectFrom('perception')
        .select(['account_id as accountId', 'id', 'embedder'])
        .where('deleted_at', 'is not', null)
        .execute();
      for (const { accountId, ...perception } of rows) await emptyPerception(accountId, perception);
      return rows.length;
    },
  };
}
