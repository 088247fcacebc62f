import { connect, type Socket } from 'node:net';
import ssh2, { type Client, type SFTPWrapper } from 'ssh2';
import { lookUpChecked } from '../intake/allowed-host.js';
import { connectWithin, type DeliveryLimits } from './delivery-limits.js';
import { DeliveryError } from './destination.js';
import type { SftpSettings } from './destination-settings.js';
import { explainFailure } from './explain-failure.js';
import type { HostKeyCheck } from './host-key.js';

export interface SftpAccess {
  readonly settings: SftpSettings;
  readonly password: string | undefined;
  /** Without a passphrase. */
  readonly privateKey: string | undefined;
  readonly limits: DeliveryLimits;
  readonly port: number;
  readonly ips: readonly string[];
  readonly hostKeys: HostKeyCheck;
}

export interface SftpSession {
  readonly sftp: SFTPWrapper;
  /** Fails when the connection is lost; what is asked of the library after that is never answered. */
  untilLost<T>(work: Promise<T>): Promise<T>;
  /** A call of the library as a promise. */
  call<T>(start: (done: (error: Error | null | undefined, result: T) => void) => void): Promise<T>;
  close(): void;
}

/** Connects to one of the checked addresses, and logs in once the host's key is the right one. The signal closes it. */
export async function openSftp(access: SftpAccess, signal: AbortSignal): Promise<SftpSession> {
  const { settings, limits, port, ips } = access;
  signal.throwIfAborted();
  const socket = connect({ host: settings.host, port, lookup: lookUpChecked(ips), noDelay: true });
  const client = new ssh2.Client();
  const close = () => {
    signal.removeEventListener('abort', close);
    client.destroy();
    socket.destroy();
  };
  signal.addEventListener('abort', close, { once: true });
  // After the connection stands, whoever waits for an answer is told by that answer's failure.
  for (const emitter of [client, socket]) emitter.on('error', () => undefined);
  socket.setTimeout(limits.stallTimeoutMs, () => {
    socket.destroy(new DeliveryError('unreachable', 'the server stopped answering'));
  });
  const lost = new Promise<never>((_, reject) => {
    let reason: unknown = new DeliveryError('unreachable', 'the server closed the connection');
    for (const emitter of [client, socket]) {
      emitter.on('error', (error: Error) => {
        reason = error;
      });
      emitter.on('close', () => reject(explainFailure(reason)));
    }
  });
  lost.catch(() => undefined);
  try {
    const untilLost = <T>(work: Promise<T>): Promise<T> => Promise.race([work, lost]);
    return {
      untilLost,
      call: (start) =>
        untilLost(
          new Promise((resolve, reject) =>
            start((error, result) => (error ? reject(error) : resolve(result))),
          ),
        ),
      sftp: await connectWithin(limits.connectTimeoutMs, () => logIn(client, socket, access), close),
      close,
    };
  } catch (error) {
    close();
    throw access.hostKeys.refusal() ?? explainLogInFailure(error);
  }
}

function logIn(client: Client, socket: Socket, access: SftpAccess): Promise<SFTPWrapper> {
  const { settings, password, privateKey, limits, hostKeys } = access;
  return new Promise((resolve, reject) => {
    client
      .on('error', reject)
      .on('close', () => reject(new DeliveryError('unreachable', 'the server closed the connection')));
    socket.on('error', reject);
    // Many servers ask for the password this way.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(() => password ?? '')),
    );
    client.on('ready', () => {
      client.sftp((error, sftp) => (error ? reject(noSftp()) : resolve(sftp)));
    });
    const start = () =>
      client.connect({
        sock: socket,
        username: settings.user,
        readyTimeout: limits.connectTimeoutMs,
        tryKeyboard: password !== undefined,
        hostVerifier: (key: Buffer, verify: (isRight: boolean) => void) => {
          hostKeys.check(key).then(verify, (error: unknown) => {
            reject(error);
            verify(false);
          });
        },
        ...(password === undefined ? {} : { password }),
        ...(privateKey === undefined ? {} : { privateKey }),
      });
    socket.once('connect', () => {
      try {
        start();
      } catch (error) {
        reject(error);
      }
    });
  });
}

function noSftp(): DeliveryError {
  return new DeliveryError('refused', 'the server offers SSH but no SFTP to this user');
}

function explainLogInFailure(error: unknown): DeliveryError {
  const level: unknown = error instanceof Error && 'level' in error ? error.level : undefined;
  if (level === 'client-authentication') {
    return new DeliveryError(
      'credentials',
      'the server does not let this user in; check user name, password and key',
    );
  }
  if (level === 'handshake' || level === 'protocol') {
    return new DeliveryError(
      'unreachable',
      'SSH cannot be agreed on; check the port, and that the server is not outdated',
    );
  }
  return explainFailure(error);
}
