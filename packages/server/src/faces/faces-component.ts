import type { Component } from '../core/lifecycle.js';
import type { FaceDatabase } from './face-database.js';
import type { StoredGalleries } from './stored-galleries.js';

export interface FacesComponentDeps {
  readonly faces: Pick<FaceDatabase, 'deletion' | 'index'>;
  readonly stored: Pick<StoredGalleries, 'mostChanged'>;
  /** Of vectors in memory. */
  readonly maxBytes: number;
  /** Told why galleries could not be read ahead; they are read when they are searched. */
  readonly onFailure: (error: unknown) => void;
}

/** Galleries that are read at the start at most; what is small is quick to read when it is asked for. */
const maxAhead = 100;
/** Part of the memory that the start may fill: room for what is asked for first. */
const shareAhead = 0.8;

/**
 * Ends deletions that were cut short, before anybody may ask; then, while the service serves already, reads the galleries
 * that were changed most often; lets the index go at the end.
 */
export function createFacesComponent({ faces, stored, maxBytes, onFailure }: FacesComponentDeps): Component {
  const { deletion, index } = faces;
  let isStopping = false;
  let reading: Promise<void> | undefined;
  const readAhead = async () => {
    for (const gallery of await stored.mostChanged(maxAhead)) {
      if (isStopping || index.stats().bytes > maxBytes * shareAhead) return;
      await index.prepare(gallery);
    }
  };
  return {
    name: 'faces',
    async start() {
      await deletion.finish();
      reading = readAhead().catch((error: unknown) => {
        if (!isStopping) onFailure(error);
      });
    },
    isReady: () => true,
    async stop() {
      isStopping = true;
      await index.close();
      await reading;
    },
  };
}
