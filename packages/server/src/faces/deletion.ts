import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import { createImageRemoval, type RemovedImages } from '../storage/image-removal.js';
import type { RowLeases } from '../storage/leases/row-leases.js';
import type { DeletionReceipt } from './deletion-receipt.js';
import type { FaceIndex } from './index/face-index.js';
import type { Perception } from './perception.js';
import { createPerceptionRows } from './perception-rows.js';
import { reEmbedPerceptionKind } from './re-embedding/re-embed-perception.js';

/** Deleting for good: rows, vectors and images, from the database, the index and the disk; with a receipt. */
export interface Deletion {
  /** Hidden at once; a deletion that is interrupted is completed by `finish`. */
  removePerception(accountId: number, perceptionId: number): Promise<DeletionReceipt>;
  removePerson(accountId: number, personId: number): Promise<DeletionReceipt>;
  /** Those of these ids that exist. */
  removeImages(accountId: number, imageIds: readonly number[]): Promise<DeletionReceipt>;
  /** Removes a hidden perception: one that is being deleted, or whose creation failed. */
  finishOne(accountId: number, perception: Pick<Perception, 'id' | 'embedder'>): Promise<DeletionReceipt>;
  /**
   * Completes deletions that were interrupted, and removes what imports left that ended; returns how many.
   * @param hiddenForMs of those that have been hidden for so long; all unless given
   */
  finish(hiddenForMs?: number): Promise<number>;
}

interface DeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly index: Pick<FaceIndex, 'drop'>;
  readonly imageFiles: Pick<BlobStore, 'remove'>;
  readonly leases: { readonly rows: Pick<RowLeases, 'take'> };
}

/** Of the import of an archive: while it is held, hidden perceptions of the account may be in the making. */
export function importLeaseName(accountId: number): string {
  return `import-perception ${accountId}`;
}

export function createDeletion({ database, clock, index, imageFiles, leases }: DeletionDeps): Deletion {
  const { query } = database;
  const rows = createPerceptionRows({ database, clock });
  const images = createImageRemoval({
    database,
    files: imageFiles,
    table: 'face_image',
    dependents: 'face_embedding',
  });

  /** One person, or a perception with everybody in it; images first. */
  const removePeople = async (
    accountId: number,
    whole: 'person' | 'perception',
    id: number,
  ): Promise<DeletionReceipt> => {
    const [column, ofPerson] =
      whole === 'person' ? (['person_id', 'id'] as const) : (['perception_id', 'perception_id'] as const);
    const people = query
      .selectFrom('person')
      .select('id')
      .where('account_id', '=', accountId)
      .where(ofPerson, '=', id);
    const { removed, ownRows } = await images.removeOwner(
      accountId,
      { column, id, isHidden: whole === 'perception' },
      [
        query
          .deleteFrom('face_correction')
          .where('account_id', '=', accountId)
          .where('person_id', 'in', people),
        query.deleteFrom('person').where('account_id', '=', accountId).where(ofPerson, '=', id),
        ...(whole === 'person'
          ? []
          : [
              query.deleteFrom('perception').where('account_id', '=', accountId).where('id', '=', id),
              // A running job ends because its lease is gone.
              query
                .deleteFrom('job')
                .where('account_id', '=', accountId)
                .where('kind', '=', reEmbedPerceptionKind)
                .where('subject', '=', String(id)),
            ]),
      ],
    );
    const [corrections, deleted] = ownRows;
    return {
      ...toReceipt(removed),
      corrections: corrections?.changes ?? 0,
      people: deleted?.changes ?? 0,
    };
  };

  const finishOne: Deletion['finishOne'] = async (accountId, { id, embedder }) => {
    const receipt = await removePeople(accountId, 'perception', id);
    await index.drop({ accountId, perceptionId: id, embedder });
    return receipt;
  };

  const finishAccount = async (accountId: number, hiddenBefore: number): Promise<number> => {
    const lease = await leases.rows.take(importLeaseName(accountId));
    if (lease === null) return 0;
    try {
      return await rows.finishRemovals((row) => finishOne(row.account_id, row), { accountId, hiddenBefore });
    } finally {
      await lease.release();
    }
  };

  return {
    finishOne,

    async finish(hiddenForMs = Number.NEGATIVE_INFINITY) {
      const hiddenBefore = Math.min(Number.MAX_SAFE_INTEGER, clock() - hiddenForMs);
      const accounts = await query
        .selectFrom('perception')
        .select('account_id as id')
        .distinct()
        .where('deleted_at', '<=', hiddenBefore)
        .execute();
      let finished = 0;
      for (const { id } of accounts) finished += await finishAccount(id, hiddenBefore);
      return finished;
    },
    removePerception: (accountId, id) => rows.remove(accountId, id, (row) => finishOne(accountId, row)),

    async removePerson(accountId, personId) {
      const receipt = await removePeople(accountId, 'person', personId);
      if (receipt.people !== 1) {
        throw new ServiceError('not_found', `person ${personId} is not one of your people`);
      }
      return receipt;
    },

    removeImages: async (accountId, imageIds) => toReceipt(await images.removeIds(accountId, imageIds)),
  };
}

function toReceipt({ images, dependents, bytes }: RemovedImages): DeletionReceipt {
  return { people: 0, images, embeddings: dependents, corrections: 0, bytes };
}
