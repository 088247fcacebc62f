import type { ConnectionLimits } from '../servers/connection-limiter.js';
import { defaultLogInThrottleLimits, type LogInThrottleLimits } from '../servers/log-in-throttle.js';
import type { FlowLimits } from './flow-control.js';
import type { HandshakeLimits } from './handshake-pace.js';

export interface SftpOptions {
  /** Address to listen on; `::` for all addresses of IPv6 and IPv4. */
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Addresses and networks of proxies whose connections begin with a header of the PROXY protocol. */
  readonly proxies: readonly string[];
  readonly limits: SftpLimits;
}

export interface SftpLimits extends ConnectionLimits, FlowLimits, HandshakeLimits {
  readonly logInThrottle: LogInThrottleLimits;
  /** From a connection of a proxy to the end of its header. */
  readonly proxyHeaderTimeoutMs: number;
  /** From the connection to a successful log-in. */
  readonly logInTimeoutMs: number;
  /** Requests to log in on one connection, those that only ask about a public key too. */
  readonly maxLogInRequests: number;
  /** Without a request. */
  readonly idleTimeoutMs: number;
  /** For writes that wait for one that belongs before them. */
  readonly gapTimeoutMs: number;
  /** Between checks that the session's key still opens the drop. */
  readonly accessCheckMs: number;
  /** Files and folders that a session may have open. */
  readonly maxHandles: number;
  /** Of writes on one connection that wait for one that belongs before them. */
  readonly maxHeldBytes: number;
  /** Of those on all connections. */
  readonly maxHeldBytesOfAll: number;
}

export const defaultSftpLimits: SftpLimits = {
  maxConnections: 200,
  maxPerAddress: 50,
  maxPerLogIn: 25,
  maxPerAccount: 100,
  handshakesPerSecond: 5,
  handshakeBurst: 20,
  handshakesPerSecondOfAll: 25,
  logInThrottle: defaultLogInThrottleLimits,
  proxyHeaderTimeoutMs: 5000,
  logInTimeoutMs: 60_000,
  maxLogInRequests: 20,
  idleTimeoutMs: 300_000,
  gapTimeoutMs: 10_000,
  accessCheckMs: 2000,
  maxHandles: 20,
  maxHeldBytes: 4 * 1024 * 1024,
  maxHeldBytesOfAll: 64 * 1024 * 1024,
  maxInputBytes: 512 * 1024,
  maxOutputBytes: 512 * 1024,
  replyTimeoutMs: 30_000,
};
