import type { Clock } from '../../core/clock.js';
import type { DropPath, LogInByKey, LogInToDrop } from '../drop-folders.js';
import type { ConnectionLimiter } from '../servers/connection-limiter.js';
import type { BadHeader } from '../servers/connection-peer.js';
import type { LogInThrottle } from '../servers/log-in-throttle.js';
import type { RefusalEvent } from '../servers/refusal-event.js';
import type { HandshakePace } from './handshake-pace.js';
import type { ByteBudget } from './held-writes.js';
import type { DiskSpace } from './responses.js';
import type { SftpOptions } from './sftp-options.js';

/** An event for the log. None contains a password, a key or the user name of a failed log-in. */
export type SftpEvent =
  | {
      readonly kind: 'listening';
      readonly host: string;
      readonly port: number;
      /** Of the host keys, as `ssh-keygen -l` shows them. */
      readonly fingerprints: readonly string[];
    }
  | RefusalEvent
  | {
      readonly kind: 'logged-in';
      readonly connection: number;
      readonly address: string;
      readonly accountId: number;
      readonly dropId: number;
      readonly by: 'password' | 'public key';
    }
  | {
      readonly kind: 'received' | 'cut';
      readonly connection: number;
      readonly accountId: number;
      readonly dropId: number;
      readonly path: DropPath;
      /** Bytes of this transfer. */
      readonly sizeBytes: number;
      /** The reason of a cut, as text. */
      readonly why?: string;
    }
  /** A trusted proxy sent no header that can be read, or not in time. */
  | { readonly kind: 'bad-proxy-header'; readonly address: string; readonly why: BadHeader }
  /** What a client sent is no SSH or no SFTP, or both sides have no algorithm in common. */
  | {
      readonly kind: 'protocol-error';
      readonly connection: number;
      readonly address: string;
      readonly why: string;
    }
  | { readonly kind: 'host-keys-changed' }
  | { readonly kind: 'host-keys-bad'; readonly error: Error }
  /** An internal error. */
  | { readonly kind: 'failed'; readonly connection: number; readonly error: unknown };

/** Shared by all connections. */
export interface SftpService {
  readonly options: SftpOptions;
  readonly logIn: LogInToDrop;
  readonly logInByKey: LogInByKey;
  readonly connectionLimiter: ConnectionLimiter;
  readonly handshakes: HandshakePace;
  readonly logInThrottle: LogInThrottle;
  /** For writes of all files that wait for one that belongs before them. */
  readonly heldBudget: ByteBudget;
  readonly clock: Clock;
  /** Of the disk with the files; null where they are in an object store. */
  readonly diskSpace: () => Promise<DiskSpace | null>;
  readonly onEvent: (event: SftpEvent) => void;
}
