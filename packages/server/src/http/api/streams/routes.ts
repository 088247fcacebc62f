import type { ApiDeps, ApiScope } from '../scope.js';
import { addStreamRecordRoutes } from './streams.js';
import { addViewTokenRoutes } from './view-tokens.js';

/** Everything on streams. */
export function addStreamRoutes(app: ApiScope, deps: Pick<ApiDeps, 'streamStore'>): void {
  addStreamRecordRoutes(app, deps);
  addViewTokenRoutes(app, deps);
}
