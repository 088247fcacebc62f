import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Client, SFTPWrapper } from 'ssh2';
import { lookUpChecked } from '../intake/allowed-host.js';
import { connectWithin } from './delivery-limits.js';
import { DeliveryError, type DeliveryLimits } from './destination.js';
import type { SftpSettings } from './destination-settings.js';
import { explainFailure, messageOf, quoteRemote } from './explain-failure.js';

interface SftpAccess {
  readonly settings: SftpSettings;
  readonly password: string | undefined;
  /** Decrypted. */
  readonly privateKey: string | undefined;
  readonly limits: DeliveryLimits;
  readonly port: number;
  readonly ips: readonly string[];
  readonly hostKeys: HostKeyCheck;
}

export type SftpSession = Awaited<ReturnType<typeof openSftp>>;

/** Connects to one of the checked addresses, and logs in after the check of the host's key. The signal closes the connection. */
export async function openSftp(access: SftpAccess, signal: AbortSignal) {
  const { settings, limits, port, ips } = access;
  const { default: ssh2 } = await import('ssh2');
  signal.throwIfAborted();
  const socket = connect({ host: settings.host, port, lookup: lookUpChecked(ips), noDelay: true });
  const client = new ssh2.Client();
  const close = () => {
    signal.removeEventListener('abort', close);
    client.destroy();
    socket.destroy();
  };
  signal.addEventListener('abort', close, { once: true });
  // Once connected, errors reach the callers through the rejection of their calls.
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
      /** Rejects when the connection is lost; the library never settles calls after that. */
      untilLost,
      /** Converts a call of the library into a promise. */
      call: <T>(start: (done: (error: Error | null | undefined, result: T) => void) => void): Promise<T> =>
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
    // Many servers request the password this way.
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
      'the server rejects the log-in; check user name, password and key',
    );
  }
  if (level === 'handshake' || level === 'protocol') {
    return new DeliveryError(
      'unreachable',
      'the SSH handshake failed; check the port, and that the server is not outdated',
    );
  }
  return explainFailure(error);
}

/** The fingerprint in the format of `ssh-keygen -l`. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`;
}

type HostKeyCheck = ReturnType<typeof createHostKeyCheck>;

/** Compares with the expected key or, without one, with the first key seen, which is stored before any secret is sent. */
export function createHostKeyCheck(
  expected: string | undefined,
  keep: (fingerprint: string) => Promise<void>,
) {
  let pinned = expected;
  let refused: DeliveryError | null = null;
  return {
    /** Whether this is the expected key. */
    async check(hostKey: Buffer): Promise<boolean> {
      const fingerprint = fingerprintOf(hostKey);
      refused = null;
      if (pinned === undefined) {
        await keep(fingerprint);
        pinned = fingerprint;
      }
      if (pinned === fingerprint) return true;
      refused = new DeliveryError(
        'identity',
        `the host key has changed from ${pinned} to ${fingerprint}; if the host's operator confirms the change, set host_key to the new one`,
      );
      return false;
    },
    /** The reason of the last rejection. */
    refusal: (): DeliveryError | null => refused,
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
  return new DeliveryError(
    'refused',
    `${said}; check the folder, its free space and the permissions of the user`,
  );
}
