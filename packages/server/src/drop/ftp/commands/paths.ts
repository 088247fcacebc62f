import type { DropPath } from '../../drop-folders.js';
import { resolvePath } from '../paths/resolve-path.js';
import type { FtpSession } from '../session/session.js';
import { Refusal } from './refusal.js';

/** Throws the refusal of a name that cannot be. */
export function pathOf({ state }: FtpSession, text: string): DropPath {
  const resolved = resolvePath(state.folder, text);
  if ('refused' in resolved) throw new Refusal(553, resolved.refused);
  return resolved.path;
}
