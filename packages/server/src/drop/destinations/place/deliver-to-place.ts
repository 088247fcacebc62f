import { randomUUID } from 'node:crypto';
import { type DeliveryLimits, withinLimits } from '../delivery-limits.js';
import type { Destination } from '../destination.js';
import type { IfExists } from '../destination-settings.js';
import { makeTestFile, outgoingFilesOf } from '../outgoing-file.js';
import type { FilePlace } from './file-place.js';
import { checkNames } from './names.js';
import { placeParcel } from './place-parcel.js';

/** Connects, goes to folders below the destination's own, making them, and closes when the use of them is over. */
export type UsePlace = <T>(
  folders: readonly string[],
  signal: AbortSignal,
  use: (place: FilePlace) => Promise<T>,
) => Promise<T>;

/** A destination that keeps files by name. */
export function deliverToPlace(
  usePlace: UsePlace,
  ifExists: IfExists,
  { wholeTimeoutMs }: DeliveryLimits,
): Destination {
  return {
    deliver: (parcel, signal) =>
      withinLimits(signal, wholeTimeoutMs, async (within) => {
        checkNames([...parcel.folders, ...parcel.files.map(({ name }) => name)]);
        const files = outgoingFilesOf(parcel);
        return await usePlace(parcel.folders, within, async (place) => {
          const name = await placeParcel(place, files, { ifExists, isRepeated: parcel.isRepeated });
          return { where: place.tellWhere(name) };
        });
      }),
    test: (signal) =>
      withinLimits(signal, wholeTimeoutMs, (within) => {
        const file = makeTestFile(randomUUID());
        return usePlace([], within, async (place) => {
          await place.put(file.name, file, true);
          await place.remove(file.name);
          return { where: place.tellWhere(file.name) };
        });
      }),
  };
}
