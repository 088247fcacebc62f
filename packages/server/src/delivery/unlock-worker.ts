import { createPrivateKey, randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import ssh2, { type ParsedKey } from 'ssh2';

const { privateKey, passphrase }: { privateKey: string; passphrase: string } = workerData;
let unlocked: string | null = null;
try {
  unlocked = unlockKey(privateKey, passphrase);
} catch {
  // Null reports the failure.
}
parentPort?.postMessage(unlocked);

/** Decrypts a private key into a format that the SSH library reads. Throws when it cannot be decrypted. */
function unlockKey(privateKey: string, passphrase: string): string {
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (parsed instanceof Error) throw parsed;
  // The library reads the PEM formats of RSA and ECDSA only.
  return parsed.type === 'ssh-ed25519' ? writeEd25519Key(parsed) : parsed.getPrivatePEM();
}

/** OpenSSH's PROTOCOL.key, without encryption. */
function writeEd25519Key(key: ParsedKey): string {
  const { d = '', x = '' } = createPrivateKey(key.getPrivatePEM()).export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const check = randomBytes(4);
  const secret = Buffer.concat([
    ...[check, check],
    ...[text('ssh-ed25519'), field(point), field(Buffer.concat([seed, point])), text('')],
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1));
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[text('none'), text('none'), text('')],
    Buffer.from([0, 0, 0, 1]),
    field(key.getPublicSSH()),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function text(value: string): Buffer {
  return field(Buffer.from(value));
}
