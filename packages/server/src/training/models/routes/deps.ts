import type { ApiDeps } from '../../../http/api/scope.js';
import type { ModelStore } from '../model-store.js';
import type { ModelWork } from '../model-work.js';
import type { UploadVersion } from '../upload-version.js';

export interface ModelDeps extends ApiDeps {
  readonly customModels: ModelStore;
  readonly modelWork: Omit<ModelWork, 'kinds'>;
  readonly uploadVersion: UploadVersion;
}
