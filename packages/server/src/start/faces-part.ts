import type { Part } from '../lifecycle.js';
import type { FaceDatabase } from '../perceptions/face-database.js';

/** Ends deletions that were cut short, before anybody may ask; lets the index go at the end. */
export function createFacesPart({ deletion, index }: Pick<FaceDatabase, 'deletion' | 'index'>): Part {
  return {
    name: 'faces',
    async start() {
      await deletion.finish();
    },
    isReady: () => true,
    stop: () => index.close(),
  };
}
