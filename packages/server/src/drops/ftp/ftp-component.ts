import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../../core/clock.js';
import type { Component } from '../../core/lifecycle.js';
import type { LogInToDrop } from '../drop-folders.js';
import { createConnectionLimiter } from '../servers/connection-limiter.js';
import { createIdentifyPeer } from '../servers/connection-peer.js';
import type { LogInThrottle } from '../servers/log-in-throttle.js';
import type { FtpOptions } from './ftp-options.js';
import { ensureOwnCertificate } from './own-certificate.js';
import { portsOfOneAccount } from './pending-data.js';
import { reply, writeReply } from './reply.js';
import { type RunningSession, runSession } from './run-session.js';
import type { FtpEvent, FtpService } from './session.js';
import { type CertificatePaths, type Certificates, openCertificates } from './tls.js';

export interface FtpDeps {
  readonly options: FtpOptions;
  readonly logIn: LogInToDrop;
  readonly logInThrottle: LogInThrottle;
  readonly clock: Clock;
  readonly onEvent: (event: FtpEvent) => void;
  /** Brings the certificate that several services share, as it is by then; unless given, this one has its own. */
  readonly bringCertificate?: (() => Promise<CertificatePaths>) | undefined;
}

export interface FtpComponent extends Component {
  /** The port it listens on; 0 before the start. */
  readonly port: number;
}

/** The FTP server as a component of the service. */
export function createFtpComponent(deps: FtpDeps): FtpComponent {
  const { options, logIn, logInThrottle, clock, onEvent } = deps;
  const { limits } = options;
  const maxPortsPerAccount = portsOfOneAccount(options.passivePorts);
  const connectionLimiter = createConnectionLimiter({ ...limits, maxPortsPerAccount });
  const sessions = new Set<RunningSession>();
  const sockets = new Set<Socket>();
  const bringCertificate = options.certificate ? undefined : deps.bringCertificate;
  let certificates: Certificates | null = null;
  let following: NodeJS.Timeout | undefined;
  let bringing: Promise<unknown> | undefined;
  let port = 0;
  let count = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
  const service: FtpService = {
    options,
    logIn,
    connectionLimiter,
    logInThrottle,
    clock,
    onEvent,
    identifyPeer: createIdentifyPeer({
      proxies: options.proxies,
      headerTimeoutMs: limits.proxyHeaderTimeoutMs,
      maxWaiting: limits.maxConnections,
      onBadHeader: (address, why) => onEvent({ kind: 'bad-proxy-header', address, why }),
    }),
    secureContext() {
      if (!certificates) throw new Error('The FTP server has not started.');
      return certificates.context;
    },
  };

  const accept = async (socket: Socket): Promise<void> => {
    const peer = await service.identifyPeer(socket);
    const { localAddress } = socket;
    // Gone, or the service began to stop meanwhile.
    if (peer === null || localAddress === undefined || !server.listening) {
      socket.destroy();
      return;
    }
    const { clientAddress, reachedAddress } = peer;
    if (logInThrottle.isKnownBanned(clientAddress)) {
      refuseConnection(socket, 'Too many wrong log-ins; try later.');
      onEvent({ kind: 'connection-refused', address: clientAddress, why: 'banned' });
      return;
    }
    const leave = connectionLimiter.enter(clientAddress);
    if (!leave) {
      refuseConnection(socket, 'Too many connections; try later.');
      onEvent({ kind: 'connection-refused', address: clientAddress, why: 'connection limit' });
      return;
    }
    socket.once('close', leave);
    const session = runSession(service, {
      id: ++count,
      stream: socket,
      peerAddress: clientAddress,
      localAddress,
      reachedAddress,
    });
    // Paused where a header was read.
    socket.resume();
    sessions.add(session);
    session.over
      .catch((error: unknown) => onEvent({ kind: 'failed', connection: count, error }))
      .finally(() => sessions.delete(session));
  };
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void accept(socket);
  });

  /** Another service may have replaced it, and it may expire soon. */
  const followCertificate = (): void => {
    bringing ??= bringCertificate?.()
      .catch((error: Error) => onEvent({ kind: 'certificate-bad', error }))
      .finally(() => {
        bringing = undefined;
      });
  };
  const abortSessions = (): void => {
    for (const session of sessions) session.abortSession();
  };
  const endSessions = async (): Promise<void> => {
    server.close();
    for (const session of sessions) session.stop(reply(421, 'The service stops; come back later.'));
    await Promise.allSettled([...sessions].map(({ over }) => over));
  };

  return {
    name: 'ftp',
    get port() {
      return port;
    },
    async start() {
      const paths =
        options.certificate ??
        (await (bringCertificate?.() ?? ensureOwnCertificate(options.certificateDir, options, clock())));
      certificates = await openCertificates({
        paths,
        checkIntervalMs: limits.certificateCheckMs,
        onChange: () => onEvent({ kind: 'certificate-changed' }),
        onBadChange: (error) => onEvent({ kind: 'certificate-bad', error }),
      });
      if (bringCertificate) following = setInterval(followCertificate, limits.certificateCheckMs).unref();
      server.listen({ host: options.host, port: options.port });
      await once(server, 'listening');
      const address = server.address();
      if (address && typeof address === 'object') port = address.port;
      onEvent({ kind: 'listening', host: options.host, port });
    },
    isReady: () => (server.listening ? true : 'not listening'),
    async drain(signal) {
      signal.addEventListener('abort', abortSessions, { once: true });
      await endSessions();
      signal.removeEventListener('abort', abortSessions);
    },
    async stop() {
      abortSessions();
      await endSessions();
      clearInterval(following);
      await bringing;
      certificates?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends the reason and closes without waiting for the client. */
function refuseConnection(socket: Socket, why: string): void {
  socket.resume();
  socket.end(writeReply(reply(421, why)));
  socket.destroySoon();
}
