import type { Part } from '../lifecycle.js';

/** Ends deletions that were cut short, before anybody may ask. */
export function createDeletionPart(
  name: string,
  { deletion }: { readonly deletion: { finish(): Promise<number> } },
): Part {
  return {
    name,
    async start() {
      await deletion.finish();
    },
    isReady: () => true,
    stop: async () => {},
  };
}
