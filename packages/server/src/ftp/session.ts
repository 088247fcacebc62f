import type { SecureContext } from 'node:tls';
import type { Clock } from '../core/clock.js';
import type { LeaveSlot } from '../core/take-slot.js';
import type { DropPath, DropSession, LogInToDrop } from '../drops/drop-folders.js';
import type { ControlChannel } from './control-channel.js';
import type { FtpOptions } from './ftp-options.js';
import type { ConnectionLimiter, LogInThrottle } from './limits.js';
import { type FactName, factNames } from './listing.js';
import type { PendingData } from './pending-data.js';
import type { Reply } from './reply.js';

/** What happened, for the log. None has a password, a key or a user name that was not taken. */
export type FtpEvent =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'turned-away';
      readonly address: string;
      readonly why: 'no place' | 'banned' | 'places of the log-in';
    }
  | {
      readonly kind: 'log-in-refused';
      readonly connection: number;
      readonly address: string;
      readonly isBanned: boolean;
    }
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
      /** Of this transfer. */
      readonly sizeBytes: number;
      /** Of a cut: in words. */
      readonly why?: string;
    }
  /** Somebody else than the client came to its data port. */
  | { readonly kind: 'stranger'; readonly connection: number; readonly address: string }
  | { readonly kind: 'plain-text-before-tls'; readonly connection: number; readonly address: string }
  | { readonly kind: 'no-passive-port' }
  | { readonly kind: 'certificate-changed' }
  | { readonly kind: 'certificate-bad'; readonly error: Error }
  /** Ours, not the client's. */
  | { readonly kind: 'failed'; readonly connection: number; readonly error: unknown };

/** What all sessions share. */
export interface FtpService {
  readonly options: FtpOptions;
  readonly logIn: LogInToDrop;
  readonly connectionLimiter: ConnectionLimiter;
  readonly logInThrottle: LogInThrottle;
  readonly clock: Clock;
  readonly onEvent: (event: FtpEvent) => void;
  /** The newest certificate. */
  readonly secureContext: () => SecureContext;
}

export type LogInState =
  | { readonly at: 'start' }
  | { readonly at: 'named'; readonly userName: string }
  | { readonly at: 'in'; readonly drop: DropSession; readonly leave: LeaveSlot };

/** What a session remembers from one command to the next. */
export interface SessionState {
  logIn: LogInState;
  /** By `HOST`. */
  host: string | null;
  wrongLogIns: number;
  folder: DropPath;
  type: 'A' | 'I';
  /** By `REST`, for the next transfer. */
  restartBytes: number;
  /** By `ALLO`: how large the next upload will be. */
  allocatedBytes: number | null;
  /** By `RNFR`, for the very next command. */
  renameFrom: DropPath | null;
  /** By `PBSZ`, which goes before `PROT`. */
  hasBufferSize: boolean;
  /** By `PROT P`. */
  isDataPrivate: boolean;
  /** By `EPSV ALL`: no other way to a data connection is taken any more. */
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
  readonly peerAddress: string;
  readonly localAddress: string;
  /** Fires when what is under way is to be given up. A session's own: a signal keeps a trace of each that follows it. */
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
    renameFrom: null,
    hasBufferSize: false,
    isDataPrivate: false,
    isExtendedOnly: false,
    pendingData: null,
    facts: new Set(factNames),
    isOver: false,
  };
}

/** As after the greeting, but for what TLS agreed on. */
export function forgetLogIn({ state }: FtpSession): void {
  if (state.logIn.at === 'in') state.logIn.leave();
  state.pendingData?.discard();
  const { wrongLogIns, hasBufferSize, isDataPrivate } = state;
  Object.assign(state, startState(), { wrongLogIns, hasBufferSize, isDataPrivate });
}

/**
 * What a verb does. It answers its last reply (null when that was said), and throws `Refusal` or `DropError` where it is refused. Only those that are run
 * with a drop can reach its folders, and they are run when somebody is logged in.
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
