import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../tagging/tag-folder.js';
import { type Folder, walkFolders } from '../tagging/walk-folders.js';
import { type CommandContext, settingsOf } from './context.js';
import type { TagView } from './tag-view.js';

interface WalkChoice {
  readonly recursive?: boolean;
}

/** The data folder has images of the service, which are no affair of this command. */
export async function* walkImages(
  path: string,
  options: WalkChoice,
  context: CommandContext,
  view: Pick<TagView, 'showTagged'>,
): AsyncGenerator<Folder, void, undefined> {
  const dataDir = resolve(settingsOf(context).settings.dataDir);
  yield* walkFolders(path, {
    isRecursive: options.recursive ?? false,
    except: await realpath(dataDir).catch(() => dataDir),
    onUnreadable: showUnreadable(view),
  });
}

/** Where the images are in the folders below, and these were not looked at. */
export function emptyText(words: string, { recursive }: WalkChoice, folders: number): string {
  if (recursive || folders === 0) return words;
  const below = folders === 1 ? 'one folder' : `${folders} folders`;
  return `${words} in the folder itself; it has ${below}: add --recursive`;
}

export function showUnreadable(view: Pick<TagView, 'showTagged'>) {
  return (path: string, error: unknown) =>
    view.showTagged({ path, outcome: 'failed', added: [], sidecar: null, reason: reasonOf(error) });
}
