import type { Component } from '../core/lifecycle.js';
import type { ObjectStorage } from '../storage/objects/object-storage.js';

/**
 * Open already, since stores are made from it. While the bucket is away much is answered still, such as every recognition
 * that keeps no image; all replicas lose it at once, and none of them is to be taken out for it.
 */
export function createObjectsComponent({
  bucket,
  close,
}: Pick<ObjectStorage, 'bucket' | 'close'>): Component {
  return {
    name: 'object store',
    start: async () => undefined,
    isReady() {
      const state = bucket.state();
      return state === true ? true : { degraded: state };
    },
    stop: async () => close(),
  };
}
