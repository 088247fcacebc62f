import type { ModelRunner } from '@lynceus/engine';
import type { Settings } from '../../core/settings.js';
import { readApiKey } from '../../http/common/key.js';
import type { ModelFacts } from '../../training/models/model-facts.js';
import { type CompatDeps, type CompatRequest, identifyCompat } from '../common/compat-route.js';
import type { CompatAccess } from '../compat-keys.js';

/** What the adapter depends on. */
export interface DoodsDeps extends Omit<CompatDeps, 'runner' | 'settings'> {
  readonly runner: Pick<ModelRunner, 'unpackJson' | 'analyse'>;
  readonly settings: CompatDeps['settings'] & Pick<Settings, 'maxPixels'>;
  readonly modelFacts: ModelFacts;
}

/** Of clients of DOODS: its own header, or wherever else a key may be. Throws as `identifyCompat`. */
export function identifyDoods(deps: CompatDeps, request: CompatRequest): Promise<CompatAccess> {
  const own = [request.headers['doods-auth-key']].flat()[0];
  const key = own || readApiKey(request.query, request.headers, ['api_key', 'apikey']);
  return identifyCompat(request, key, 'doods', deps);
}
