import type { Component } from '../core/lifecycle.js';

/** Ends deletions that were cut short, before anybody may ask. */
export function createDeletionComponent(
  name: string,
  { deletion }: { readonly deletion: { finish(): Promise<number> } },
): Component {
  return {
    name,
    async start() {
      await deletion.finish();
    },
    isReady: () => true,
    stop: async () => {},
  };
}
