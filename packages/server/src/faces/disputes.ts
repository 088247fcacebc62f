import type { Box, ImageSource } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Correction, Corrections } from './corrections.js';
import type { FaceImages } from './face-images.js';
import type { LookAtFaces } from './look-at-faces.js';
import type { Perception } from './perception.js';
import type { Person } from './person.js';
import { readStoredVector } from './stored-vector.js';

interface DisputesDeps {
  readonly database: Pick<Database, 'query'>;
  readonly lookAtFaces: LookAtFaces;
  readonly images: Pick<FaceImages, 'read'>;
  readonly corrections: Pick<Corrections, 'add'>;
}

/** "This is not X", of a face that a search takes for X: it is remembered as a correction. */
export function createDisputes({ database, lookAtFaces, images, corrections }: DisputesDeps) {
  return {
    /** The largest face of an image, which is not kept, or of a part of it; null when that shows none. */
    async byFace(
      accountId: number,
      { embedder }: Pick<Perception, 'embedder'>,
      person: Person,
      {
        source,
        signal,
        within,
      }: {
        readonly source: ImageSource;
        readonly signal: AbortSignal;
        /** In fractions of the image, from 0 to 1; all of it unless given. */
        readonly within?: Box;
      },
    ): Promise<Correction | null> {
      const { faces, width, height } = await lookAtFaces(source, {
        embedder,
        liveness: false,
        accountId,
        signal,
      });
      const face = faces.find(({ box }) => !within || hasCentreIn(within, box, { width, height }));
      return face ? corrections.add(accountId, person.id, embedder, face.embedding) : null;
    },

    /**
     * The face of an image that is another person's in the perception. Throws `not_found`, and `conflict` for an image of
     * this person.
     */
    async byImage(
      accountId: number,
      { embedder }: Pick<Perception, 'embedder'>,
      person: Person,
      imageId: number,
    ): Promise<Correction> {
      const image = await images.read(accountId, imageId);
      if (image.perceptionId !== person.perceptionId) {
        throw new ServiceError('not_found', `image ${imageId} is not one of this person's perception`);
      }
      if (image.personId === person.id) {
        throw new ServiceError(
          'conflict',
          `image ${imageId} is one of this person: move it to another person, or delete it`,
        );
      }
      const vector = await readStoredVector(database, accountId, imageId, embedder);
      return corrections.add(accountId, person.id, embedder, vector);
    },
  };
}

function hasCentreIn(
  within: Box,
  { xMin, xMax, yMin, yMax }: Box,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const [x, y] = [(xMin + xMax) / 2 / width, (yMin + yMax) / 2 / height];
  return x >= within.xMin && x <= within.xMax && y >= within.yMin && y <= within.yMax;
}
