import type { DatasetStore } from '../datasets/dataset-store.js';
import type { Part } from '../lifecycle.js';

/** Ends deletions that were cut short, before anybody may ask. */
export function createDatasetsPart({ deletion }: Pick<DatasetStore, 'deletion'>): Part {
  return {
    name: 'datasets',
    async start() {
      await deletion.finish();
    },
    isReady: () => true,
    stop: async () => {},
  };
}
