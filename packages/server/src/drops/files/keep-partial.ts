import type { ReceiveDeps } from './receive-deps.js';
import type { TransferLease } from './transfer-leases.js';

/**
 * What of a transfer is on disk when it was cut; nothing is kept of a file without a byte. Answers false, and leaves all as it is,
 * where another transfer of the file has begun or another service has ended this one.
 */
export async function keepPartial(
  { database, clock, bytes }: Pick<ReceiveDeps, 'database' | 'clock' | 'bytes'>,
  id: string,
  lease: Pick<TransferLease, 'update' | 'remove'>,
  sizeBytes: number,
): Promise<boolean> {
  if (sizeBytes > 0) {
    const [kept] = await database.write([
      lease.update({ state: 'partial', size_bytes: sizeBytes, modified_at: clock() }),
    ]);
    return kept?.changes === 1;
  }
  const [removed] = await database.write([lease.remove()]);
  const isRemoved = removed?.changes === 1;
  // Else they are the bytes of whoever has it now; those of a file without a row are swept.
  if (isRemoved) await bytes.remove(id);
  return isRemoved;
}
