import { readFileSync, statSync } from 'node:fs';
import { type CommandContext, folderOf } from './context.js';

/** Whose files a command makes; for tests. */
export interface Caller {
  /** Null where the system has no users in numbers. */
  readonly uid: number | null;
}

/**
 * Before a command that works on the data folder. Throws where root would leave files there that the service, which runs as
 * another user, cannot open. Says where a folder is about to be made: the service's may be elsewhere.
 */
export function lookAtDataFolder(
  context: CommandContext,
  { uid }: Caller = { uid: process.geteuid?.() ?? null },
): void {
  const { dir } = folderOf(context);
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) {
    context.note(
      `${dir} is a new data folder. If your service has another: --data FOLDER, or LYNCEUS_CONFIG as the service has it.`,
    );
  } else if (uid === 0 && owner !== 0) {
    const user = userName(owner) ?? `'#${owner}'`;
    throw new Error(
      `The data folder ${dir} belongs to another user, and its service could not open what root leaves there. Run this as that user: sudo -u ${user} …`,
    );
  }
}

/** As passwd(5) has it; null where that has none, as in many containers. */
function userName(uid: number): string | null {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n');
    return users.find((line) => line.split(':')[2] === String(uid))?.split(':')[0] ?? null;
  } catch {
    return null;
  }
}
