import type { ConnectionLimits } from '../servers/connection-limiter.js';
import { defaultLogInThrottleLimits, type LogInThrottleLimits } from '../servers/log-in-throttle.js';
import type { PublicAddress } from './addresses.js';
import type { ControlLimits } from './control-channel.js';
import type { CertificateNames } from './own-certificate.js';
import type { PortRange } from './pending-data.js';
import type { CertificatePaths } from './tls.js';

export interface FtpOptions extends CertificateNames {
  /** Address to listen on; `::` for all addresses of IPv6 and IPv4. */
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly passivePorts: PortRange;
  /** The addresses that PASV announces, by client network; other clients get the address they connected to. */
  readonly publicAddresses: readonly PublicAddress[];
  /** Addresses and networks of proxies whose connections begin with a header of the PROXY protocol. */
  readonly proxies: readonly string[];
  /** Whether PORT and EPRT are allowed. */
  readonly allowsActive: boolean;
  /** Whether log-ins and data connections in plain text are refused. */
  readonly requiresTls: boolean;
  /** Whether an upload over TLS is complete only after close_notify, and cut when the transport ends without it. */
  readonly needsCloseNotify: boolean;
  /** Null: the service's own certificate, stored in `certificateDir`. */
  readonly certificate: CertificatePaths | null;
  readonly certificateDir: string;
  readonly limits: FtpLimits;
}

export interface FtpLimits extends ConnectionLimits {
  readonly logInThrottle: LogInThrottleLimits;
  readonly control: ControlLimits;
  /** From a connection of a proxy to the end of its header. */
  readonly proxyHeaderTimeoutMs: number;
  /** From the connection to a successful log-in. */
  readonly logInTimeoutMs: number;
  /** Without a command or a transfer. */
  readonly idleTimeoutMs: number;
  /** From the transfer's command to its data connection; once more for its TLS handshake. */
  readonly dataTimeoutMs: number;
  /** Within a transfer, without any byte. */
  readonly stallTimeoutMs: number;
  /** Between checks that the session's key still opens the drop. */
  readonly accessCheckMs: number;
  readonly certificateCheckMs: number;
}

export const defaultFtpLimits: FtpLimits = {
  maxConnections: 500,
  maxPerAddress: 50,
  maxPerLogIn: 25,
  maxPerAccount: 250,
  logInThrottle: defaultLogInThrottleLimits,
  control: {
    maxLineBytes: 8192,
    lineTimeoutMs: 30_000,
    maxWaitingLines: 32,
    replyTimeoutMs: 30_000,
    handshakeTimeoutMs: 20_000,
  },
  proxyHeaderTimeoutMs: 5000,
  logInTimeoutMs: 60_000,
  idleTimeoutMs: 300_000,
  dataTimeoutMs: 20_000,
  stallTimeoutMs: 60_000,
  accessCheckMs: 2000,
  certificateCheckMs: 60_000,
};
