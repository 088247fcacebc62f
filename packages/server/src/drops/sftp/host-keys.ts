import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedKey } from 'ssh2';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ifMissing } from '../../storage/missing-file.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import { createSharedIdentity, type SharedIdentityDeps } from '../servers/shared-identity.js';
import { writeSecretFile } from '../servers/write-secret-file.js';
import { type KeyPair, readableKeyPair } from './readable-key-pair.js';

/** Private keys in OpenSSH's format, by which clients recognise the server: for those of today, of some years ago, and old ones. */
const HostKeys = Type.Object({ ed25519: Type.String(), ecdsa: Type.String(), rsa: Type.String() });
export type HostKeys = Static<typeof HostKeys>;

const types: Readonly<Record<keyof HostKeys, string>> = {
  ed25519: 'ssh-ed25519',
  ecdsa: 'ecdsa-sha2-nistp256',
  rsa: 'ssh-rsa',
};

/** Where a service keeps its host keys. */
export function hostKeysPath(folder: string): string {
  return join(folder, 'host-keys.json');
}

/** Told where a damaged file is kept. */
type OnDamaged = (keptPath: string) => void;

/** The service's own host keys; made when they are missing or damaged. Only the service's user can read them. */
export async function ensureOwnHostKeys(folder: string, onDamaged: OnDamaged): Promise<HostKeys> {
  const kept = await readOwnHostKeys(folder, onDamaged);
  if (kept !== null) return kept;
  const made = await makeHostKeys();
  await writeSecretFile(hostKeysPath(folder), JSON.stringify(made));
  return made;
}

/** Brings the host keys of all services on a database, with a copy in the folder. */
export function createSharedHostKeys(
  deps: SharedIdentityDeps,
  folder: string,
  onDamaged: OnDamaged,
): () => Promise<HostKeys> {
  return createSharedIdentity<HostKeys>(deps, {
    name: 'host keys of sftp',
    table: 'sftp_host_key',
    context: sealContexts.sftpHostKey,
    parse: parse,
    make: makeHostKeys,
    readOwn: () => readOwnHostKeys(folder, onDamaged),
    writeOwn: (keys) => writeSecretFile(hostKeysPath(folder), JSON.stringify(keys)),
  });
}

/** Null when they are missing or damaged: others take their place. Throws where they cannot be read. */
async function readOwnHostKeys(folder: string, onDamaged: OnDamaged): Promise<HostKeys | null> {
  const path = hostKeysPath(folder);
  const text = await readFile(path, 'utf8').catch(ifMissing(null));
  if (text === null) return null;
  try {
    const keys = parse(text);
    if (keys) {
      await parseHostKeys(keys);
      return keys;
    }
  } catch {
    // Damaged.
  }
  const keptPath = `${path}.damaged`;
  await rename(path, keptPath);
  onDamaged(keptPath);
  return null;
}

/** Null for a text of another form. */
function parse(text: string): HostKeys | null {
  const parsed: unknown = JSON.parse(text);
  return Value.Check(HostKeys, parsed) ? parsed : null;
}

async function makeHostKeys(): Promise<HostKeys> {
  const { default: ssh2 } = await import('ssh2');
  const { generateKeyPair } = ssh2.utils;
  const [ed25519, ecdsa, rsa] = await Promise.all([
    privateOf((done) => generateKeyPair('ed25519', done)),
    privateOf((done) => generateKeyPair('ecdsa', { bits: 256 }, done)),
    privateOf((done) => generateKeyPair('rsa', { bits: 2048 }, done)),
  ]);
  const keys = { ed25519, ecdsa, rsa };
  await parseHostKeys(keys);
  return keys;
}

type OnPair = (error: Error | null, pair: KeyPair) => void;

async function privateOf(generate: (done: OnPair) => void): Promise<string> {
  const make = () =>
    new Promise<KeyPair>((resolve, reject) =>
      generate((error, pair) => (error ? reject(error) : resolve(pair))),
    );
  return (await readableKeyPair(make)).private;
}

/** Throws for one that is damaged or of another type. */
export async function parseHostKeys(keys: HostKeys): Promise<readonly ParsedKey[]> {
  const { default: ssh2 } = await import('ssh2');
  return (['ed25519', 'ecdsa', 'rsa'] as const).map((name) => {
    const parsed = ssh2.utils.parseKey(keys[name]);
    if (parsed instanceof Error) throw parsed;
    if (parsed.type !== types[name] || !parsed.isPrivateKey())
      throw new Error(`The host key ${name} is of another type.`);
    return parsed;
  });
}
