import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import type { FileBytes } from './file-bytes.js';
import type { TransferLeases } from './transfer-leases.js';

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  /** Of one file. */
  readonly maxFileBytes: number;
  /** A file that has arrived can be renamed, gone on with and removed for so long. */
  readonly settleMs: number;
  /** Of files that are being received by this service. */
  readonly transfers: TransferLeases;
  /** Of the data folder that the bytes are in; null where every service reads them. */
  readonly folderUid: string | null;
}
