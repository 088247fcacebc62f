import type { SecureContext } from 'node:tls';
import type { Clock } from '../core/clock.js';
import type { LeaveSlot } from '../core/take-slot.js';
import type { DropPath, DropSession, LogInToDrop } from '../drops/drop-folders.js';
import type { ConnectionLimiter } from './connection-limiter.js';
import type { ControlChannel } from './control-channel.js';
import { type FactName, factNames } from './facts.js';
import type { FtpEvent } from './ftp-event.js';
import type { FtpOptions } from './ftp-options.js';
import type { LogInThrottle } from './log-in-throttle.js';
import type { PendingData } from './pending-data.js';

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
