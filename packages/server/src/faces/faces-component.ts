import type { Component } from '../core/lifecycle.js';
import type { FaceDatabase } from './face-database.js';
import type { StoredGalleries } from './stored-galleries.js';

interface FacesComponentDeps {
  readonly faces: Pick<FaceDatabase, 'deletion' | 'index'>;
  readonly stored: Pick<StoredGalleries, 'mostChanged'>;
  /** Of vectors in memory. */
  readonly maxBytes: number;
  /** Told why galleries could not be read ahead; they are read when they are searched. */
  readonly onFailure: (error: unknown) => void;
  /** Begins to embed images again whose vectors are of an earlier revision; ends soon after the signal. */
  readonly followRevision: (signal: AbortSignal) => Promise<void>;
}

/** Galleries that are read at the start at most; what is small is quick to read when it is asked for. */
const maxAhead = 100;
/** Part of the memory that the start may fill: room for what is asked for first. */
const shareAhead = 0.8;

/**
 * Ends deletions that were cut short, before anybody may ask; then, while the service serves already, reads the galleries
 * that were changed most often; lets the index go at the end.
 */
export function createFacesComponent({
  faces,
  stored,
  maxBytes,
  onFailure,
  followRevision,
}: FacesComponentDeps): Component {
  const { deletion, index } = faces;
  const stopping = new AbortController();
  let working: Promise<unknown> | undefined;
  const readAhead = async () => {
    for (const gallery of await stored.mostChanged(maxAhead)) {
      if (stopping.signal.aborted || index.stats().bytes > maxBytes * shareAhead) return;
      await index.prepare(gallery);
    }
  };
  return {
    name: 'faces',
    async start() {
      await deletion.finish();
      const ahead = readAhead().catch((error: unknown) => {
        if (!stopping.signal.aborted) onFailure(error);
      });
      working = Promise.all([ahead, followRevision(stopping.signal)]);
    },
    isReady: () => true,
    async stop() {
      stopping.abort();
      await index.close();
      await working;
    },
  };
}
