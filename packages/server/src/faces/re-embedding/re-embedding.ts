import type { Spool } from '../../intake/spool.js';
import type { JobKind } from '../../service/jobs/job.js';
import type { FaceDatabase } from '../face-database.js';
import { createLookAtFaces, type LookDeps } from '../look-at-faces.js';
import { createEmbedImage } from './embed-image.js';
import { createEmbedderChange, type EmbedderChange, type EmbedderChangeDeps } from './embedder-change.js';
import { createHoldFaceImage } from './hold-stored-image.js';
import { createReEmbedImage, type ReEmbedImage } from './re-embed-image.js';
import { createReEmbedPerception, type ReEmbedPerceptionDeps } from './re-embed-perception.js';
import { createStoredEmbeddings } from './stored-embeddings.js';

/** Re-embedding of stored images: one of them, or all of a perception by another embedder. */
export interface ReEmbedding {
  readonly change: EmbedderChange;
  readonly again: ReEmbedImage;
  /** What changes are carried out by. */
  readonly kind: JobKind;
}

interface ReEmbeddingDeps
  extends LookDeps,
    Pick<EmbedderChangeDeps, 'database' | 'clock' | 'jobs'>,
    Pick<ReEmbedPerceptionDeps, 'onChange'> {
  readonly faces: Pick<
    FaceDatabase,
    'perceptions' | 'people' | 'images' | 'index' | 'imageFiles' | 'proposeCalibration'
  >;
  readonly spool: Spool;
}

export function createReEmbedding(deps: ReEmbeddingDeps): ReEmbedding {
  const { faces, database } = deps;
  const lookAtFaces = createLookAtFaces(deps);
  const storedEmbeddings = createStoredEmbeddings(database);
  const holdImage = createHoldFaceImage({ imageFiles: faces.imageFiles, spool: deps.spool });
  const embedImage = createEmbedImage({ holdImage, lookAtFaces });
  return {
    change: createEmbedderChange({ ...deps, ...faces, storedEmbeddings }),
    again: createReEmbedImage({ ...faces, database, lookAtFaces, holdImage }),
    kind: createReEmbedPerception({ ...deps, ...faces, storedEmbeddings, embedImage }),
  };
}
