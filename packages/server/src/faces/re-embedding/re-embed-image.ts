import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { examine, type Finding } from '../enrolment-checks.js';
import { faceAt } from '../face-at.js';
import { toEnrolledFace } from '../face-image.js';
import type { FaceImages, StoredFaceImage } from '../face-images.js';
import type { FaceIndex } from '../index/face-index.js';
import type { FacesSeen, LookAtFaces } from '../look-at-faces.js';
import { findNearestOther, judgeOwn } from '../nearest-other.js';
import { compareWithOwn, nearestOf } from '../own-vectors.js';
import type { People } from '../people.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import type { HoldFaceImage } from './hold-stored-image.js';
import { keepVector } from './stored-embeddings.js';

type ReEmbedResult =
  | { readonly outcome: 'embedded'; readonly findings: readonly Finding[] }
  /** Nothing was changed. */
  | { readonly outcome: 'no-face' };

/**
 * Re-embeds one image by the perception's embedder: the face that is where the image's face was, else
 * the largest. Vector and face are written in one unit. Throws `not_found`, and what looking at an image throws.
 */
export type ReEmbedImage = (
  accountId: number,
  imageId: number,
  signal: AbortSignal,
) => Promise<ReEmbedResult>;

interface ReEmbedImageDeps {
  readonly database: Database;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly people: Pick<People, 'find'>;
  readonly images: Pick<FaceImages, 'read' | 'found'>;
  readonly index: Pick<FaceIndex, 'nearestPeople'>;
  readonly lookAtFaces: LookAtFaces;
  readonly holdImage: HoldFaceImage;
}

export function createReEmbedImage(deps: ReEmbedImageDeps): ReEmbedImage {
  const { database, perceptions, images, lookAtFaces, holdImage } = deps;
  const { query } = database;

  const look = async (
    accountId: number,
    image: StoredFaceImage,
    embedder: string,
    signal: AbortSignal,
  ): Promise<FacesSeen> => {
    const content = await holdImage(image.blobId, signal);
    if (content === null) throw new ServiceError('not_found', `the image of image ${image.id} is not there`);
    try {
      return await lookAtFaces(content.source, { embedder, liveness: false, accountId, signal });
    } finally {
      await content.dispose();
    }
  };

  const reEmbed = async (
    accountId: number,
    image: StoredFaceImage,
    perception: Perception,
    signal: AbortSignal,
  ): Promise<ReEmbedResult> => {
    const { embedder } = perception;
    const seen = await look(accountId, image, embedder, signal);
    const face = faceAt(seen.faces, image.face.box) ?? seen.faces[0];
    if (face === undefined) return { outcome: 'no-face' };
    const { embedding, quality } = face;
    const vectors = await compareWithOwn(deps, { accountId, personId: image.personId, embedder }, embedding);
    const others = vectors.filter(({ imageId }) => imageId !== image.id);
    const own = await judgeOwn(deps, perception, nearestOf(others), accountId);
    const other = await findNearestOther(deps, accountId, perception, embedding, image.personId);
    const findings = examine({ quality, faces: seen.faces.length, isKept: false, own, other });
    await database
      .write([
        query
          .updateTable('face_image')
          .set({ face: JSON.stringify(toEnrolledFace(seen, face)) })
          .where('account_id', '=', accountId)
          .where('id', '=', image.id),
        ...keepVector(database, { accountId, embedder }, image.id, embedding),
      ])
      .catch((error: unknown) => {
        if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
        throw new ServiceError('not_found', `image ${image.id} was deleted meanwhile`, { cause: error });
      });
    return { outcome: 'embedded', findings };
  };

  return async (accountId, imageId, signal) => {
    for (;;) {
      const image = await images.read(accountId, imageId);
      const before = await perceptions.read(accountId, image.perceptionId);
      const embedded = await reEmbed(accountId, image, before, signal);
      const after = await perceptions.read(accountId, image.perceptionId);
      // Else the vector is that of an embedder which is in use no longer.
      if (after.embedder === before.embedder) return embedded;
    }
  };
}
