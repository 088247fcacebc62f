import type { Spool } from '../../intake/spool.js';
import type { JobKind } from '../../jobs/job.js';
import type { FaceDatabase } from '../face-database.js';
import { createLookAtFaces, type LookDeps } from '../look-at-faces.js';
import { createDescribeAgain, type DescribeAgain } from './describe-again.js';
import { createDescribeImage } from './describe-image.js';
import { createDescribePerception, type DescribePerceptionDeps } from './describe-perception.js';
import { createEmbedderChange, type EmbedderChange, type EmbedderChangeDeps } from './embedder-change.js';
import { createHoldStoredPicture } from './hold-stored-picture.js';
import { createStoredDescriptions } from './stored-descriptions.js';

/** Describing stored images anew: one of them, or all of a perception by another embedder. */
export interface Describing {
  readonly change: EmbedderChange;
  readonly again: DescribeAgain;
  /** What changes are carried out by. */
  readonly kind: JobKind;
}

export interface DescribingDeps
  extends LookDeps,
    Pick<EmbedderChangeDeps, 'database' | 'clock' | 'jobs' | 'wakeJobs'>,
    Pick<DescribePerceptionDeps, 'onChange'> {
  readonly faces: Pick<FaceDatabase, 'perceptions' | 'people' | 'images' | 'index' | 'pictures'>;
  readonly spool: Spool;
}

export function createDescribing(deps: DescribingDeps): Describing {
  const { faces, database } = deps;
  const lookAtFaces = createLookAtFaces(deps);
  const descriptions = createStoredDescriptions(database);
  const holdPicture = createHoldStoredPicture({ pictures: faces.pictures, spool: deps.spool });
  const describeImage = createDescribeImage({ holdPicture, lookAtFaces });
  return {
    change: createEmbedderChange({ ...deps, ...faces, descriptions }),
    again: createDescribeAgain({ ...faces, database, lookAtFaces, holdPicture }),
    kind: createDescribePerception({ ...deps, ...faces, descriptions, describeImage }),
  };
}
