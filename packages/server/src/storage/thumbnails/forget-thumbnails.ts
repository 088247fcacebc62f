import type { ImageOwner, ImageRef } from './thumbnail-files.js';

interface Removing {
  remove(id: string): Promise<void>;
}

/** The same store of images; with each one that it removes, the thumbnails go. */
export function forgetThumbnails<Store extends Removing>(
  store: Store,
  owner: ImageOwner,
  forget: (image: ImageRef) => Promise<unknown>,
): Store {
  return {
    ...store,
    // The image first: whoever makes a thumbnail looks for it afterwards.
    remove: async (id) => {
      await store.remove(id);
      await forget({ owner, id });
    },
  };
}
