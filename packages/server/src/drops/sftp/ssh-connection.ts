import type { Socket } from 'node:net';
import type { Connection, ServerChannel, Session } from 'ssh2';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LeaveSlot } from '../../core/take-slot.js';
import type { DropSession } from '../drop-folders.js';
import { createFlowControl } from './flow-control.js';
import { createByteBudget } from './held-writes.js';
import { createLogIn } from './log-in.js';
import { type RunningSession, runSession } from './run-session.js';
import type { SftpService } from './sftp-service.js';

export type SshConnection = ReturnType<typeof openSshConnection>;

interface SshConnectionStart {
  /** Counted from 1. */
  readonly id: number;
  readonly socket: Socket;
  /** The client's. */
  readonly address: string;
}

/** At once on one connection, whatever they are for: clients that share it for several programs open one for each. */
const maxChannels = 4;
/** Channels of one connection that were opened and closed for nothing. */
const maxUnused = 100;
/** For a client that does not close its side. */
const lingerMs = 2000;
/** The library quotes what clients send. */
const maxReasonLength = 200;
/** RFC 4253, 6.1: all take eight times as much. */
const leastPacketBytes = 4096;
const WritableChannel = Type.Object({
  outgoing: Type.Object({ packetSize: Type.Integer({ minimum: leastPacketBytes }) }),
});
const sftpOnly = 'Only SFTP is served here: no shell, no commands. Use sftp, or scp without -O.\r\n';

/** One SSH connection: its log-in and its SFTP sessions. Everything else that SSH has is refused. */
export function openSshConnection(service: SftpService, { id, socket, address }: SshConnectionStart) {
  const { options, onEvent } = service;
  const { logInTimeoutMs, idleTimeoutMs, accessCheckMs } = options.limits;
  const flow = createFlowControl(socket, options.limits);
  const heldBudget = createByteBudget(options.limits.maxHeldBytes);
  const gone = new AbortController();
  const sessions = new Set<RunningSession>();
  let client: Connection | null = null;
  let drop: DropSession | null = null;
  let leave: LeaveSlot | null = null;
  let isStopping = false;
  let channels = 0;
  let unused = 0;

  const end = (): void => {
    client?.end();
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
  /** Until a log-in; from then on while no session is open. */
  let idle = setTimeout(end, logInTimeoutMs);
  const stopSoon = (): void => {
    if (isStopping && sessions.size === 0) end();
  };
  const abortSessions = (why: string): void => {
    for (const session of sessions) session.abort(why);
  };

  const serve = (drop: DropSession, channel: ServerChannel): void => {
    clearTimeout(idle);
    const session = runSession(service, { id, address, drop, channel, flow, heldBudget });
    sessions.add(session);
    void session.over.then((ended) => {
      sessions.delete(session);
      if (ended === 'refused') end();
      if (sessions.size > 0) return;
      clearTimeout(idle);
      if (!gone.signal.aborted) idle = setTimeout(end, idleTimeoutMs);
      stopSoon();
    });
    if (isStopping) session.stop();
  };
  /** Null, and the connection ends, where the client takes packets in which the library would write for ever. */
  const acceptChannel = (accept: () => ServerChannel | undefined): ServerChannel | null => {
    const channel = accept();
    if (channel === undefined) return null;
    if (Value.Check(WritableChannel, channel)) return channel;
    channel.on('error', () => undefined);
    socket.destroy();
    return null;
  };
  const acceptSession = (drop: DropSession, session: Session): void => {
    let isAsked = false;
    channels++;
    session.once('close', () => {
      channels--;
      if (!isAsked && ++unused >= maxUnused) end();
    });
    session.on('subsystem', (accept, reject, { name }) => {
      // There is no answer to reject with where the client wants none.
      isAsked = true;
      if (name !== 'sftp') return reject?.();
      const channel = acceptChannel(accept);
      if (channel) serve(drop, channel);
    });
    const refuse = (accept: () => ServerChannel): void => {
      isAsked = true;
      const channel = acceptChannel(accept);
      if (channel === null) return;
      channel.on('error', () => undefined).resume();
      channel.stderr.write(sftpOnly);
      channel.exit(1);
      channel.end();
    };
    session.on('shell', refuse).on('exec', refuse);
  };

  const watchAccess = setInterval(() => {
    if (drop === null) return;
    drop
      .isOpen()
      .then((isOpen) => {
        if (isOpen) return;
        abortSessions('the key was revoked, or the drop deleted');
        end();
      })
      .catch((error: unknown) => onEvent({ kind: 'failed', connection: id, error }));
  }, accessCheckMs);

  const over = new Promise<void>((resolve) => {
    socket.once('close', () => {
      gone.abort();
      clearTimeout(idle);
      clearInterval(watchAccess);
      abortSessions('the client disconnected');
      void Promise.all([...sessions].map((session) => session.over)).then(() => {
        leave?.();
        resolve();
      });
    });
  });

  return {
    /** Resolves when it has ended and released its resources. */
    over,
    /** The library's side of it, once the client has sent its version. */
    attach(attached: Connection) {
      client = attached;
      const logIn = createLogIn({
        ...{ service, id, address, end },
        gone: gone.signal,
        onLoggedIn(opened, leaveSlot) {
          drop = opened;
          leave = leaveSlot;
          clearTimeout(idle);
          idle = setTimeout(end, idleTimeoutMs);
        },
      });
      client.on('error', (error: Error & { readonly level?: string }) => {
        socket.end();
        // The end of a connection is no error of its protocol.
        if (error.level === 'socket' || error.level === 'client-timeout') return;
        onEvent({
          kind: 'protocol-error',
          connection: id,
          address,
          why: error.message.slice(0, maxReasonLength),
        });
      });
      client.on('rekey', () => {
        if (!service.handshakes.repeat(address)) end();
      });
      client.on('authentication', logIn);
      client.on('session', (accept, reject) => {
        if (drop === null || isStopping || channels >= maxChannels) reject();
        else acceptSession(drop, accept());
      });
      if (isStopping) end();
    },
    /** Ends it when no upload is open any more. */
    stop() {
      isStopping = true;
      for (const session of sessions) session.stop();
      stopSoon();
    },
    /** Ends it; uploads are cut. */
    abort() {
      abortSessions('the service stops');
      end();
    },
  };
}
