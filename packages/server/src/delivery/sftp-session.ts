import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import ssh2, { type Client, type SFTPWrapper } from 'ssh2';
import { lookUpChecked } from '../intake/allowed-host.js';
import { connectWithin } from './delivery-limits.js';
import { DeliveryError, type DeliveryLimits } from './destination.js';
import type { SftpSettings } from './destination-settings.js';
import { explainFailure, messageOf, quoteRemote } from './explain-failure.js';

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

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`;
}

export interface HostKeyCheck {
  /** Whether a host with this key is the one that is meant. */
  check(hostKey: Buffer): Promise<boolean>;
  /** Why it was not. */
  refusal(): DeliveryError | null;
}

/** The expected key, or, where none is, the first one seen, which is kept before anything secret is sent. */
export function createHostKeyCheck(
  expected: string | undefined,
  keep: (fingerprint: string) => Promise<void>,
): HostKeyCheck {
  let pinned = expected;
  let refused: DeliveryError | null = null;
  return {
    async check(hostKey) {
      const fingerprint = fingerprintOf(hostKey);
      refused = null;
      if (pinned === undefined) {
        await keep(fingerprint);
        pinned = fingerprint;
      }
      if (pinned === fingerprint) return true;
      refused = new DeliveryError(
        'identity',
        `the host has another key (${fingerprint}) than before (${pinned}); if whoever runs it confirms the change, set host_key to it`,
      );
      return false;
    },
    refusal: () => refused,
  };
}

/** Status codes of SFTP 3, draft-ietf-secsh-filexfer-02 section 7. */
export const sftpStatus = { noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 } as const;

export function statusOf(error: unknown): number | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : null;
}

export function explainSftpFailure(error: unknown, whatFailed: string): DeliveryError {
  const status = statusOf(error);
  if (error instanceof DeliveryError || status === null) return explainFailure(error);
  const said = `the server says ${quoteRemote(messageOf(error))} while ${whatFailed}`;
  if (/no space|quota|disk full/i.test(messageOf(error))) return new DeliveryError('full', said);
  return new DeliveryError('refused', `${said}; check the folder, its room and the rights of the user`);
}
