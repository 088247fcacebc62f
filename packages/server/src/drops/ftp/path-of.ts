import type { DropPath } from '../drop-folders.js';
import { resolvePath } from '../servers/paths.js';
import { Refusal } from './reply.js';
import type { FtpSession } from './session.js';

/** The path that an argument names. Throws `Refusal` for an invalid name. */
export function pathOf({ state }: FtpSession, text: string): DropPath {
  const resolved = resolvePath(state.folder, text);
  if ('refused' in resolved) throw new Refusal(553, resolved.refused);
  return resolved.path;
}
