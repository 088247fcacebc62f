import type { ApiKey } from '@lynceus/client';

export type KeyState = 'good' | 'expired' | 'revoked';

export function stateOfKey(key: ApiKey): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'good';
}
