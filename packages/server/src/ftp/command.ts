import type { DropSession } from '../drops/drop-folders.js';
import type { Reply } from './reply.js';
import type { FtpSession } from './session.js';

/**
 * What a verb does. It answers its last reply (null when that was said), and throws `Refusal` or `DropError` where it is refused. Only those that are run
 * with a drop can reach its folders, and they are run when somebody is logged in.
 */
export type Command = {
  readonly argument: 'none' | 'optional' | 'required';
} & (
  | { readonly who: 'anyone'; readonly run: (session: FtpSession, argument: string) => Promise<Reply | null> }
  | {
      readonly who: 'logged-in';
      readonly run: (session: FtpSession, argument: string, drop: DropSession) => Promise<Reply>;
    }
);

export type Commands = Readonly<Record<string, Command>>;
