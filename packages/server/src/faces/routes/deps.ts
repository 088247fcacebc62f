import type { ApiDeps } from '../../http/api/scope.js';
import type { FaceDatabase } from '../face-database.js';
import type { ReEmbedding } from '../re-embedding/re-embedding.js';

export interface FaceDeps extends ApiDeps {
  readonly faces: FaceDatabase;
  readonly reEmbedding: Pick<ReEmbedding, 'change' | 'again'>;
}
