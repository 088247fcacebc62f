import { createHash } from 'node:crypto';
import type { ClientInfo, Connection, Server } from 'ssh2';
import { type HostKeys, parseHostKeys } from './host-keys.js';

/**
 * The library's server, which is given sockets and does not listen. It offers no compression, which images do not need and which
 * could make much of little, and no algorithm that takes long to compute.
 */
export async function createSshServer(
  keys: HostKeys,
  onClient: (client: Connection, info: ClientInfo) => void,
): Promise<Server> {
  const { default: ssh2 } = await import('ssh2');
  const server = new ssh2.Server({
    hostKeys: [keys.ed25519, keys.ecdsa, keys.rsa],
    ident: 'Lynceus',
    algorithms: {
      kex: [
        'curve25519-sha256',
        'curve25519-sha256@libssh.org',
        'ecdh-sha2-nistp256',
        'ecdh-sha2-nistp384',
        'ecdh-sha2-nistp521',
        'diffie-hellman-group14-sha256',
      ],
      cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
      hmac: [
        'hmac-sha2-256-etm@openssh.com',
        'hmac-sha2-512-etm@openssh.com',
        'hmac-sha2-256',
        'hmac-sha2-512',
      ],
      compress: ['none'],
    },
  });
  server.on('connection', onClient).on('error', () => undefined);
  return server;
}

/** As `ssh-keygen -l` shows them. */
export async function fingerprintsOf(keys: HostKeys): Promise<readonly string[]> {
  return (await parseHostKeys(keys)).map((key) => {
    const digest = createHash('sha256').update(key.getPublicSSH()).digest('base64');
    return `SHA256:${digest.replace(/=+$/, '')} (${key.type})`;
  });
}
