import type { DropPath } from '../drops/drop-folders.js';
import { Refusal } from './refusal.js';
import { resolvePath } from './resolve-path.js';
import type { FtpSession } from './session.js';

/** Throws the refusal of a name that cannot be. */
export function pathOf({ state }: FtpSession, text: string): DropPath {
  const resolved = resolvePath(state.folder, text);
  if ('refused' in resolved) throw new Refusal(553, resolved.refused);
  return resolved.path;
}
