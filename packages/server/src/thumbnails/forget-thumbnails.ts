import type { PictureOwner, PictureRef } from './thumbnail-files.js';

interface Removing {
  remove(id: string): Promise<void>;
}

/** The same store of pictures; with each one that it removes, the thumbnails go. */
export function forgetThumbnails<Store extends Removing>(
  store: Store,
  owner: PictureOwner,
  forget: (picture: PictureRef) => Promise<unknown>,
): Store {
  return {
    ...store,
    // The picture first: whoever makes a thumbnail looks for it afterwards.
    remove: async (id) => {
      await store.remove(id);
      await forget({ owner, id });
    },
  };
}
