import type { Component } from '../core/lifecycle.js';
import type { DiskGuard, DiskShortage } from '../storage/disk-guard.js';

const everyMs = 5000;
const bytesPerMegabyte = 1_000_000;

/**
 * Says when the disk of the data folder has too little room, so that what is to be stored on it is refused. Most answers need
 * none of it, so the service stays ready.
 */
export function createDiskComponent(
  disk: Pick<DiskGuard, 'shortage'>,
  { intervalMs = everyMs }: { readonly intervalMs?: number } = {},
): Component {
  let found: DiskShortage | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= disk
      .shortage()
      .then((shortage) => {
        found = shortage;
      })
      // The caches may fail to make room: until the next look, the one before counts.
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return {
    name: 'disk',
    async start() {
      await look();
      timer = setInterval(look, intervalMs).unref();
    },
    isReady: () => (found === null ? true : { degraded: describe(found) }),
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

function describe({ dir, freeBytes, neededBytes }: DiskShortage): string {
  return (
    `the disk of ${dir} has ${inMegabytes(freeBytes)} MB free and needs ${inMegabytes(neededBytes)} MB, so nothing more is stored on it: ` +
    'delete what is not needed, make the disk larger, or lower LYNCEUS_DISK_RESERVE_BYTES'
  );
}

function inMegabytes(bytes: number): string {
  return (bytes / bytesPerMegabyte).toFixed(1);
}
