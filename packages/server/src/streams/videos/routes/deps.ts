import type { ApiDeps } from '../../../http/api/scope.js';
import type { VideoStore } from '../video-store.js';

export interface VideoDeps extends ApiDeps {
  readonly videoStore: VideoStore;
}
