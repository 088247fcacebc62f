import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Stats } from 'ssh2';
import { DeliveryError, type DeliveryLimits, type DestinationDeps } from './destination.js';
import type { DestinationSecrets, SftpSettings } from './destination-settings.js';
import { checkKeyForm, checkPrivateKey } from './private-key.js';
import { splitFolder, type UseRemoteFolder } from './remote-folder.js';
import { reachHost } from './remote-host.js';
import { createSftpFolder, findEntry } from './sftp-folder.js';
import { createHostKeyCheck, explainSftpFailure, openSftp, type SftpSession } from './sftp-session.js';

/** SFTP 3 over SSH, by password or key. */
export function useSftpFolder(
  settings: SftpSettings,
  secrets: DestinationSecrets,
  limits: DeliveryLimits,
  deps: DestinationDeps,
): UseRemoteFolder {
  checkKeyForm(secrets);
  if (secrets.password === undefined && secrets.privateKey === undefined) {
    throw new DeliveryError('settings', 'sftp needs the secret password or private_key');
  }
  const { password, passphrase } = secrets;
  let unlocked: string | undefined;
  const port = settings.port ?? 22;
  const base = splitFolder(settings.folder ?? '');
  const hostKeys = createHostKeyCheck(settings.hostKey, deps.keepHostKey);
  const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;

  return async (folders, signal, use) => {
    await checkPrivateKey(secrets);
    const ips = await reachHost(deps, { host: settings.host, port, ownPorts: [22] }, signal);
    if (passphrase !== undefined && secrets.privateKey !== undefined) {
      unlocked ??= await unlockInThread(secrets.privateKey, passphrase, signal);
    }
    const access = {
      settings,
      password,
      privateKey: unlocked ?? secrets.privateKey,
      limits,
      port,
      ips,
      hostKeys,
    };
    const session = await openSftp(access, signal);
    try {
      const parts = [...base.parts, ...folders];
      const folder = `${base.isAbsolute ? '/' : ''}${parts.join('/')}`;
      await makeFolders(session, base.isAbsolute, parts);
      const address = [`sftp://${host}`, ...parts].join('/');
      return await use(createSftpFolder({ session, folder, address, withKeyLock: deps.withKeyLock, signal }));
    } finally {
      session.close();
    }
  };
}

async function makeFolders(
  session: SftpSession,
  isAbsolute: boolean,
  parts: readonly string[],
): Promise<void> {
  const pathOf = (count: number) => `${isAbsolute ? '/' : ''}${parts.slice(0, count).join('/')}`;
  try {
    if (parts.length === 0 || (await isFolder(session, pathOf(parts.length)))) return;
    for (const [index] of parts.entries()) {
      const path = pathOf(index + 1);
      if (await isFolder(session, path)) continue;
      try {
        await session.call<void>((done) => session.sftp.mkdir(path, (error) => done(error, undefined)));
      } catch (error) {
        // Another client may have created it meanwhile.
        if (!(await isFolder(session, path))) throw error;
      }
    }
  } catch (error) {
    throw explainSftpFailure(error, `creating the folder ${pathOf(parts.length)}`);
  }
}

/** Includes links to folders: they are the remote server's own. */
async function isFolder(session: SftpSession, path: string): Promise<boolean> {
  if ((await findEntry(session, path)) === null) return false;
  return (await session.call<Stats>((done) => session.sftp.stat(path, done))).isDirectory();
}

/**
 * Decrypts a private key in a worker thread: OpenSSH's key derivation is slow by design and takes half a second. Throws
 * `credentials`.
 */
async function unlockInThread(privateKey: string, passphrase: string, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./unlock-worker.js', import.meta.url), {
    name: 'unlock-key',
    workerData: { privateKey, passphrase },
    execArgv: [],
  });
  try {
    const [unlocked]: unknown[] = await once(worker, 'message', { signal });
    if (typeof unlocked === 'string') return unlocked;
    throw new DeliveryError('credentials', 'the private key cannot be opened; check it and its passphrase');
  } finally {
    await worker.terminate();
  }
}
