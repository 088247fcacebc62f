import { type KeyObject, verify } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AuthContext, AuthenticationType, PasswordAuthContext, PublicKeyAuthContext } from 'ssh2';
import type { LeaveSlot } from '../../core/take-slot.js';
import { toKeyObject } from '../authorized-keys.js';
import type { DropSession } from '../drop-folders.js';
import type { LogInTry } from '../servers/log-in-throttle.js';
import type { SftpService } from './sftp-service.js';

export interface LogInDeps {
  readonly service: SftpService;
  /** Of the connection, counted from 1. */
  readonly id: number;
  readonly address: string;
  /** Fires when the connection has ended. */
  readonly gone: AbortSignal;
  readonly onLoggedIn: (drop: DropSession, leave: LeaveSlot) => void;
  /** Ends the connection. */
  readonly end: () => void;
}

const methods: AuthenticationType[] = ['publickey', 'password'];

/** Answers the requests of one connection to log in (RFC 4252): by the drop's key, or by a public key of its settings. */
export function createLogIn(deps: LogInDeps): (context: AuthContext) => void {
  const { service, id, address, gone, end } = deps;
  const { options, logInThrottle, onEvent } = service;
  const { maxLogInRequests, logInThrottle: throttleLimits } = options.limits;
  let requests = 0;
  let wrong = 0;

  const refuse = async (context: AuthContext, attempt: LogInTry): Promise<void> => {
    const { delayMs, isBanned } = await attempt.fail();
    wrong++;
    onEvent({ kind: 'log-in-refused', connection: id, address, isBanned });
    // Each further failure of an address is answered later.
    await wait(delayMs, undefined, { signal: gone }).catch(() => undefined);
    context.reject(methods);
    if (isBanned || wrong >= throttleLimits.maxPerConnection) end();
  };
  const begin = async (): Promise<LogInTry | null> => {
    const attempt = await logInThrottle.begin(address);
    if (attempt !== null) return attempt;
    onEvent({ kind: 'connection-refused', address, why: 'banned' });
    end();
    return null;
  };
  const enter = async (
    context: AuthContext,
    attempt: LogInTry,
    drop: DropSession,
    by: 'password' | 'public key',
  ): Promise<void> => {
    await attempt.succeed();
    if (gone.aborted) return;
    const leave = service.connectionLimiter.logIn(drop);
    if (leave === null) {
      onEvent({ kind: 'connection-refused', address, why: 'log-in limit' });
      end();
      return;
    }
    const { accountId, dropId } = drop;
    onEvent({ kind: 'logged-in', connection: id, address, accountId, dropId, by });
    deps.onLoggedIn(drop, leave);
    context.accept();
  };

  const byPassword = async (context: PasswordAuthContext): Promise<void> => {
    const attempt = await begin();
    if (attempt === null) return;
    const { username: userName, password } = context;
    // The library gives an object where a client asks for another password.
    const drop =
      typeof password === 'string' ? await service.logIn({ userName, password, host: null }) : null;
    await (drop === null ? refuse(context, attempt) : enter(context, attempt, drop, 'password'));
  };
  const byPublicKey = async (context: PublicKeyAuthContext): Promise<void> => {
    const { username: userName } = context;
    const publicKey = Buffer.from(context.key.data);
    const proof = readProof(context);
    const key = toKeyObject(publicKey);
    // RFC 8332: by this name it would sign by SHA-1, which would count as a guess.
    if (key?.asymmetricKeyType === 'rsa' && !context.hashAlgo) return context.reject(methods);
    const drop = key && (await service.logInByKey({ userName, publicKey }));
    // Clients offer all keys that they have: no guess, since whoever has the right one can sign.
    if (!key || !drop) return context.reject(methods);
    // The client asks whether a signature by this key would be accepted.
    if (proof === null) return context.accept();
    const attempt = await begin();
    if (attempt === null) return;
    await (isSigned(key, proof) ? enter(context, attempt, drop, 'public key') : refuse(context, attempt));
  };
  const answer = async (context: AuthContext): Promise<void> => {
    if (++requests > maxLogInRequests) return end();
    if (context.method === 'password') return byPassword(context);
    if (context.method === 'publickey') return byPublicKey(context);
    context.reject(methods);
  };

  return (context) => {
    answer(context).catch((error: unknown) => {
      onEvent({ kind: 'failed', connection: id, error });
      context.reject(methods);
    });
  };
}

interface Proof {
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Of RSA; null where the type of the key says it, and for SHA-1. */
  readonly hash: string | null;
}

/** Copied, since the library reuses its memory. Null for a request without a signature. */
function readProof({ signature, blob, hashAlgo }: PublicKeyAuthContext): Proof | null {
  if (!signature || !blob) return null;
  return { signature: Buffer.from(signature), signed: Buffer.from(blob), hash: hashAlgo ?? null };
}

/** RFC 5656, 6.2.1: the hash of a curve. */
const hashOfCurve: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'sha256'],
  ['secp384r1', 'sha384'],
  ['secp521r1', 'sha512'],
]);

function isSigned(key: KeyObject, { signed, signature, hash }: Proof): boolean {
  const isRightBy = (algorithm: string | null): boolean => {
    try {
      return verify(algorithm, signed, key, signature);
    } catch {
      // Not even the form of a signature.
      return false;
    }
  };
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return isRightBy(null);
    case 'ec': {
      const algorithm = hashOfCurve.get(key.asymmetricKeyDetails?.namedCurve ?? '');
      return algorithm !== undefined && isRightBy(algorithm);
    }
    // RFC 8332; signatures by SHA-1 are refused.
    case 'rsa':
      return hash !== null && isRightBy(hash);
    default:
      return false;
  }
}
