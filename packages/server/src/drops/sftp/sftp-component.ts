import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { ClientInfo, Connection, Server } from 'ssh2';
import type { Component } from '../../core/lifecycle.js';
import { createConnectionLimiter } from '../servers/connection-limiter.js';
import { createIdentifyPeer } from '../servers/connection-peer.js';
import { createHandshakePace } from './handshake-pace.js';
import { createByteBudget } from './held-writes.js';
import type { HostKeys } from './host-keys.js';
import type { SftpService } from './sftp-service.js';
import { openSshConnection, type SshConnection } from './ssh-connection.js';
import { createSshServer, fingerprintsOf } from './ssh-server.js';

export interface SftpDeps extends Omit<SftpService, 'connectionLimiter' | 'handshakes' | 'heldBudget'> {
  /** Brings the host keys; those that several services share, as they are by then. */
  readonly bringHostKeys: () => Promise<HostKeys>;
  /** Between looks at host keys that another service may have changed; null: they are of this service alone. */
  readonly hostKeysCheckMs: number | null;
}

export interface SftpComponent extends Component {
  /** The port it listens on; 0 before the start. */
  readonly port: number;
}

/** The SFTP server as a component of the service. */
export function createSftpComponent(deps: SftpDeps): SftpComponent {
  const { options, logInThrottle, onEvent, bringHostKeys, hostKeysCheckMs } = deps;
  const { limits } = options;
  const connectionLimiter = createConnectionLimiter({ ...limits, maxPortsPerAccount: 0 });
  const service: SftpService = {
    ...deps,
    connectionLimiter,
    handshakes: createHandshakePace(limits),
    heldBudget: createByteBudget(limits.maxHeldBytesOfAll),
  };
  const identifyPeer = createIdentifyPeer({
    proxies: options.proxies,
    headerTimeoutMs: limits.proxyHeaderTimeoutMs,
    maxWaiting: limits.maxConnections,
    onBadHeader: (address, why) => onEvent({ kind: 'bad-proxy-header', address, why }),
  });
  const sockets = new Set<Socket>();
  /** By the other end of their sockets, by which the library names its side of them. */
  const connections = new Map<string, SshConnection>();
  let hostKeys: HostKeys | null = null;
  let ssh: Server | null = null;
  let following: NodeJS.Timeout | undefined;
  let bringing: Promise<unknown> | undefined;
  let port = 0;
  let count = 0;

  const server = createServer({ noDelay: true, keepAlive: true });
  const onClient = (client: Connection, { ip, port: remotePort }: ClientInfo): void => {
    const connection = connections.get(endOf(ip, remotePort));
    if (connection) connection.attach(client);
    else client.on('error', () => undefined).end();
  };
  const useHostKeys = async (keys: HostKeys): Promise<void> => {
    ssh = await createSshServer(keys, onClient);
    hostKeys = keys;
  };

  const accept = async (socket: Socket): Promise<void> => {
    const peer = await identifyPeer(socket);
    const { remoteAddress, remotePort } = socket;
    // Gone, or the service began to stop meanwhile.
    if (
      peer === null ||
      remoteAddress === undefined ||
      remotePort === undefined ||
      !server.listening ||
      !ssh
    ) {
      socket.destroy();
      return;
    }
    const address = peer.clientAddress;
    if (logInThrottle.isKnownBanned(address)) {
      refuseConnection(socket, 'Too many wrong log-ins; try later.');
      onEvent({ kind: 'connection-refused', address, why: 'banned' });
      return;
    }
    const leave = connectionLimiter.enter(address);
    if (!leave) {
      refuseConnection(socket, 'Too many connections; try later.');
      onEvent({ kind: 'connection-refused', address, why: 'connection limit' });
      return;
    }
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    if (socket.destroyed) gone.abort();
    await service.handshakes.begin(address, gone.signal);
    // Its other end may be named as one that is connected to another address of this service.
    const key = endOf(remoteAddress, remotePort);
    if (socket.destroyed || !server.listening || !ssh || connections.has(key)) {
      leave();
      socket.destroy();
      return;
    }
    const id = ++count;
    const connection = openSshConnection(service, { id, socket, address });
    connections.set(key, connection);
    void connection.over.then(() => {
      leave();
      connections.delete(key);
    });
    ssh.injectSocket(socket);
  };
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void accept(socket);
  });

  const followHostKeys = (): void => {
    bringing ??= bringHostKeys()
      .then(async (keys) => {
        if (JSON.stringify(keys) === JSON.stringify(hostKeys)) return;
        await useHostKeys(keys);
        onEvent({ kind: 'host-keys-changed' });
      })
      .catch((error: Error) => onEvent({ kind: 'host-keys-bad', error }))
      .finally(() => {
        bringing = undefined;
      });
  };
  const abortConnections = (): void => {
    for (const connection of connections.values()) connection.abort();
  };
  const endConnections = async (): Promise<void> => {
    server.close();
    const all = [...connections.values()];
    for (const connection of all) connection.stop();
    await Promise.all(all.map(({ over }) => over));
  };

  return {
    name: 'sftp',
    get port() {
      return port;
    },
    async start() {
      const keys = await bringHostKeys();
      await useHostKeys(keys);
      if (hostKeysCheckMs !== null) following = setInterval(followHostKeys, hostKeysCheckMs).unref();
      server.listen({ host: options.host, port: options.port });
      await once(server, 'listening');
      const address = server.address();
      if (address && typeof address === 'object') port = address.port;
      onEvent({ kind: 'listening', host: options.host, port, fingerprints: await fingerprintsOf(keys) });
    },
    isReady: () => (server.listening ? true : 'not listening'),
    async drain(signal) {
      signal.addEventListener('abort', abortConnections, { once: true });
      await endConnections();
      signal.removeEventListener('abort', abortConnections);
    },
    async stop() {
      abortConnections();
      await endConnections();
      clearInterval(following);
      await bringing;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function endOf(address: string, port: number): string {
  return `${address} ${port}`;
}

/** RFC 4253, 4.2: lines may come before the version. Sends the reason and closes without waiting for the client. */
function refuseConnection(socket: Socket, why: string): void {
  socket.resume();
  socket.end(`${why}\r\n`);
  socket.destroySoon();
}
