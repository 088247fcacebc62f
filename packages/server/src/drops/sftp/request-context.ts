import type { Clock } from '../../core/clock.js';
import type { DropPath, DropSession } from '../drop-folders.js';
import type { KnownSizes } from '../servers/known-sizes.js';
import { resolvePath } from '../servers/paths.js';
import type { ByteBudget } from './held-writes.js';
import type { OpenHandles } from './open-handles.js';
import { statusCodes } from './protocol.js';
import type { SftpRequest } from './requests.js';
import type { DiskSpace } from './responses.js';
import type { SftpLimits } from './sftp-options.js';
import { Refusal } from './status-of-error.js';

/** What requests of one session work with. */
export interface RequestContext {
  readonly drop: DropSession;
  readonly handles: OpenHandles;
  readonly knownSizes: KnownSizes;
  readonly limits: Pick<SftpLimits, 'maxHandles'>;
  /** Of the connection, and of the service. */
  readonly heldBudgets: readonly ByteBudget[];
  readonly clock: Clock;
  /** Of the disk with the files; null where they are in an object store. */
  readonly diskSpace: () => Promise<DiskSpace | null>;
  /** Whether the service stops: what is open is finished, and nothing is begun. */
  readonly isStopping: () => boolean;
  readonly onUploadEnd: (path: DropPath, kind: 'received' | 'cut', sizeBytes: number, why?: string) => void;
}

type RequestOf<Kind extends SftpRequest['kind']> = Extract<SftpRequest, { readonly kind: Kind }>;

/** Answers a request of this kind with packets. Throws `Refusal` and `DropError`. */
export type Answer<Kind extends SftpRequest['kind']> = (
  context: RequestContext,
  request: RequestOf<Kind>,
) => Promise<readonly Buffer[]>;

const startFolder: DropPath = ['incoming'];

/** The path that a client names. Throws `Refusal` for an invalid name. */
export function pathOf(text: string): DropPath {
  const resolved = resolvePath(startFolder, text);
  if ('refused' in resolved) throw new Refusal(statusCodes.failure, resolved.refused);
  return resolved.path;
}
