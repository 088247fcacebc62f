import type { PublicAddress } from './addresses.js';
import type { ControlLimits } from './control-channel.js';
import type { ConnectionLimits, LogInThrottleLimits } from './limits.js';
import type { PortRange } from './pending-data.js';
import type { CertificatePaths } from './tls.js';

export interface FtpOptions {
  /** Address to listen on; `::` for every one of IPv6 and IPv4. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly passivePorts: PortRange;
  /** Where clients of a network reach us; others are told the address that they came to. */
  readonly publicAddresses: readonly PublicAddress[];
  /** Whether PORT and EPRT are taken. */
  readonly allowsActive: boolean;
  /** Whether log-in and data are refused in plain text. */
  readonly requiresTls: boolean;
  /** Whether with TLS the end of a line alone, without TLS's own close, is no end of an upload. */
  readonly needsCloseNotify: boolean;
  /** Null: a certificate of our own, kept in `certificateDir`. */
  readonly certificate: CertificatePaths | null;
  readonly certificateDir: string;
  /** In the certificate of our own. */
  readonly hostName: string;
  readonly limits: FtpLimits;
}

export interface FtpLimits extends ConnectionLimits {
  readonly logInThrottle: LogInThrottleLimits;
  readonly control: ControlLimits;
  /** From the connection to a right log-in. */
  readonly logInTimeoutMs: number;
  /** Without a command, and without a transfer. */
  readonly idleTimeoutMs: number;
  /** From the transfer's command to its data connection, and its TLS. */
  readonly dataTimeoutMs: number;
  /** Within a transfer, without a byte. */
  readonly stallTimeoutMs: number;
  /** Between looks at whether who is logged in still may be. */
  readonly accessCheckMs: number;
  readonly certificateCheckMs: number;
}

export const defaultFtpLimits: FtpLimits = {
  maxConnections: 500,
  maxPerAddress: 50,
  maxPerLogIn: 25,
  maxPerAccount: 250,
  logInThrottle: {
    maxPerConnection: 3,
    maxPerAddress: 20,
    forgetMs: 600_000,
    banMs: 600_000,
    firstDelayMs: 500,
    maxDelayMs: 10_000,
  },
  control: {
    maxLineBytes: 8192,
    lineTimeoutMs: 30_000,
    maxWaitingLines: 32,
    replyTimeoutMs: 30_000,
    handshakeTimeoutMs: 20_000,
  },
  logInTimeoutMs: 60_000,
  idleTimeoutMs: 300_000,
  dataTimeoutMs: 20_000,
  stallTimeoutMs: 60_000,
  accessCheckMs: 2000,
  certificateCheckMs: 60_000,
};
