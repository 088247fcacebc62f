import type { SecureContext } from 'node:tls';
import type { Clock } from '../../core/clock.js';
import type { LeaveSlot } from '../../core/take-slot.js';
import type { DropPath, DropSession, LogInToDrop } from '../drop-folders.js';
import type { ConnectionLimiter } from '../servers/connection-limiter.js';
import type { BadHeader, IdentifyPeer } from '../servers/connection-peer.js';
import { createKnownSizes, type KnownSizes } from '../servers/known-sizes.js';
import type { LogInThrottle } from '../servers/log-in-throttle.js';
import type { RefusalEvent } from '../servers/refusal-event.js';
import type { ControlChannel } from './control-channel.js';
import type { FtpOptions } from './ftp-options.js';
import { type FactName, factNames } from './listing.js';
import type { PendingData } from './pending-data.js';
import type { Reply } from './reply.js';

/** An event for the log. None contains a password, a key or the user name of a failed log-in. */
export type FtpEvent =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | RefusalEvent
  | {
      readonly kind: 'logged-in';
      readonly connection: number;
      readonly address: string;
      readonly accountId: number;
      readonly dropId: number;
      readonly isSecure: boolean;
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
  /** Another address than the client's connected to its passive port. */
  | { readonly kind: 'foreign-data-connection'; readonly connection: number; readonly address: string }
  | { readonly kind: 'plain-text-before-tls'; readonly connection: number; readonly address: string }
  | { readonly kind: 'no-passive-port' }
  | { readonly kind: 'certificate-changed' }
  | { readonly kind: 'certificate-bad'; readonly error: Error }
  /** An internal error. */
  | { readonly kind: 'failed'; readonly connection: number; readonly error: unknown };

/** Shared by all sessions. */
export interface FtpService {
  readonly options: FtpOptions;
  readonly logIn: LogInToDrop;
  readonly connectionLimiter: ConnectionLimiter;
  readonly logInThrottle: LogInThrottle;
  readonly clock: Clock;
  readonly onEvent: (event: FtpEvent) => void;
  readonly identifyPeer: IdentifyPeer;
  /** The newest certificate. */
  readonly secureContext: () => SecureContext;
}

type LogInState =
  | { readonly at: 'start' }
  | { readonly at: 'named'; readonly userName: string }
  | { readonly at: 'in'; readonly drop: DropSession; readonly leave: LeaveSlot };

/** The state that a session keeps between commands. */
interface SessionState {
  logIn: LogInState;
  /** Set by `HOST`. */
  host: string | null;
  wrongLogIns: number;
  folder: DropPath;
  type: 'A' | 'I';
  /** Set by `REST`, for the next transfer. */
  restartBytes: number;
  /** Set by `ALLO`: the size of the next upload. */
  allocatedBytes: number | null;
  readonly knownSizes: KnownSizes;
  /** Set by `RNFR`, for the next command only. */
  renameFrom: DropPath | null;
  /** Set by `PBSZ`, which must precede `PROT`. */
  hasBufferSize: boolean;
  /** Set by `PROT P`. */
  isDataPrivate: boolean;
  /** Set by `EPSV ALL`: PASV, PORT and EPRT are refused from then on. */
  isExtendedOnly: boolean;
  pendingData: PendingData | null;
  facts: ReadonlySet<FactName>;
  isOver: boolean;
}

export interface FtpSession {
  /** Counted from 1. */
  readonly id: number;
  readonly service: FtpService;
  readonly control: ControlChannel;
  /** The client's. */
  readonly peerAddress: string;
  /** Of the socket. */
  readonly localAddress: string;
  /** What the client connected to: an address of a proxy, or the same. */
  readonly reachedAddress: string;
  /**
   * Fires when the running command is to be aborted. One for each session: a signal keeps a reference to every dependent signal.
   */
  readonly sessionAbort: AbortSignal;
  readonly state: SessionState;
}

export function startState(): SessionState {
  return {
    logIn: { at: 'start' },
    host: null,
    wrongLogIns: 0,
    folder: ['incoming'],
    type: 'A',
    restartBytes: 0,
    allocatedBytes: null,
    knownSizes: createKnownSizes(),
    renameFrom: null,
    hasBufferSize: false,
    isDataPrivate: false,
    isExtendedOnly: false,
    pendingData: null,
    facts: new Set(factNames),
    isOver: false,
  };
}

/** Resets the session to its state after the greeting; keeps what `AUTH`, `PBSZ` and `PROT` set. */
export function forgetLogIn({ state }: FtpSession): void {
  if (state.logIn.at === 'in') state.logIn.leave();
  state.pendingData?.discard();
  const { wrongLogIns, hasBufferSize, isDataPrivate } = state;
  Object.assign(state, startState(), { wrongLogIns, hasBufferSize, isDataPrivate });
}

/**
 * The implementation of a verb. It returns its last reply (null when that was sent already), and throws `Refusal` or `DropError`.
 * Only a command for logged-in sessions gets the drop, and with it access to the folders.
 */
export type Command = {
  readonly argument: 'none' | 'optional' | 'required';
} & (
  | { readonly who: 'anyone'; readonly run: (session: FtpSession, argument: string) => Promise<Reply | null> }
  | {
      readonly who: 'logged-in';
      readonly run: (session: FtpSession, argument: string, drop: DropSession) => Promise<Reply>;
    }
);

export type Commands = Readonly<Record<string, Command>>;
