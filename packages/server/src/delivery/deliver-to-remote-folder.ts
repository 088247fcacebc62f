import { randomUUID } from 'node:crypto';
import { type DeliveryLimits, withinLimits } from './delivery-limits.js';
import type { Destination } from './destination.js';
import type { IfExists } from './destination-settings.js';
import { makeTestFile, outgoingFilesOf } from './outgoing-file.js';
import { putDelivery } from './put-delivery.js';
import type { RemoteFolder } from './remote-folder.js';
import { checkNames } from './remote-names.js';

/** Connects, goes to folders below the destination's own, making them, and closes when the use of them is over. */
export type UseRemoteFolder = <T>(
  folders: readonly string[],
  signal: AbortSignal,
  use: (folder: RemoteFolder) => Promise<T>,
) => Promise<T>;

/** A destination that keeps files by name. */
export function deliverToRemoteFolder(
  useRemoteFolder: UseRemoteFolder,
  ifExists: IfExists,
  { wholeTimeoutMs }: DeliveryLimits,
): Destination {
  return {
    deliver: (delivery, signal) =>
      withinLimits(signal, wholeTimeoutMs, async (within) => {
        checkNames([...delivery.folders, ...delivery.files.map(({ name }) => name)]);
        const files = outgoingFilesOf(delivery);
        return await useRemoteFolder(delivery.folders, within, async (folder) => {
          const name = await putDelivery(folder, files, { ifExists, isRepeated: delivery.isRepeated });
          return { where: folder.describeLocation(name) };
        });
      }),
    test: (signal) =>
      withinLimits(signal, wholeTimeoutMs, (within) => {
        const file = makeTestFile(randomUUID());
        return useRemoteFolder([], within, async (folder) => {
          await folder.put(file.name, file, true);
          await folder.remove(file.name);
          return { where: folder.describeLocation(file.name) };
        });
      }),
  };
}
