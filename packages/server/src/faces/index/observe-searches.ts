import type { FaceIndex } from './face-index.js';

/** The same index, reporting the time of each search. */
export function observeSearches(index: FaceIndex, onSearch: (durationMs: number) => void): FaceIndex {
  return {
    ...index,
    async nearestPeople(gallery, query, wanted) {
      const startedAt = performance.now();
      try {
        return await index.nearestPeople(gallery, query, wanted);
      } finally {
        onSearch(performance.now() - startedAt);
      }
    },
  };
}
