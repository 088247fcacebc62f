import type { Download } from './download.js';
import type { FolderListing } from './folder-listing.js';
import { statusCodes } from './protocol.js';
import { Refusal } from './status-of-error.js';
import type { Upload } from './upload.js';

type OpenHandle = Upload | Download | FolderListing;

/** What one session has open, by names of ours. */
export type OpenHandles = ReturnType<typeof createOpenHandles>;

export function createOpenHandles(maxHandles: number) {
  const handles = new Map<string, OpenHandle>();
  let count = 0;
  const get = (name: string): OpenHandle => {
    const found = handles.get(name);
    if (found) return found;
    throw new Refusal(statusCodes.failure, 'This handle is not open.');
  };
  return {
    get uploads(): readonly Upload[] {
      return [...handles.values()].filter((handle) => handle.kind === 'upload');
    },
    /** Throws `Refusal` when as many are open as may be. */
    checkCanOpen() {
      if (handles.size < maxHandles) return;
      throw new Refusal(statusCodes.failure, `${maxHandles} files and folders are open: close one first.`);
    },
    add(handle: OpenHandle): string {
      const name = String(++count);
      handles.set(name, handle);
      return name;
    },
    /** Throws `Refusal` for one that is not open. */
    get,
    getUpload(name: string): Upload {
      const found = get(name);
      if (found.kind === 'upload') return found;
      throw new Refusal(statusCodes.permissionDenied, 'This is not open for writing.');
    },
    getDownload(name: string): Download {
      const found = get(name);
      if (found.kind === 'download') return found;
      throw new Refusal(statusCodes.permissionDenied, 'This is not open for reading.');
    },
    getListing(name: string): FolderListing {
      const found = get(name);
      if (found.kind === 'folder') return found;
      throw new Refusal(statusCodes.failure, 'This is no folder.');
    },
    remove: (name: string) => void handles.delete(name),
    /** Ends all of them: uploads have not arrived. */
    async closeAll(why: string) {
      const all = [...handles.values()];
      handles.clear();
      const closing = all.map(async (handle) =>
        handle.kind === 'upload' ? handle.cut(why) : handle.close(),
      );
      const failed = (await Promise.allSettled(closing)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}
