import { isIPv6 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, FTPError } from 'basic-ftp';
import { connectWithin } from './delivery-limits.js';
import { DeliveryError, type DeliveryLimits, type DestinationDeps } from './destination.js';
import type { DestinationSecrets, FtpSettings, FtpsSettings } from './destination-settings.js';
import { quoteRemote } from './explain-failure.js';
import { createFtpFolder, explainFtpFailure, isNotThere } from './ftp-folder.js';
import { splitFolder, type UseRemoteFolder } from './remote-folder.js';
import { identifyByTls, reachHost } from './remote-host.js';

/** RFC 959; with TLS by RFC 4217 (explicit), or from the first byte on (implicit, which no RFC describes). */
export function useFtpFolder(
  settings: FtpSettings | FtpsSettings,
  secrets: DestinationSecrets,
  limits: DeliveryLimits,
  deps: DestinationDeps,
): UseRemoteFolder {
  const isImplicit = settings.kind === 'ftps' && settings.tls === 'implicit';
  const port = settings.port ?? (isImplicit ? 990 : 21);
  const base = splitFolder(settings.folder ?? '');
  const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;
  const tls = settings.kind === 'ftps' ? identifyByTls(settings.host, settings.certificate) : null;

  const logIn = async (client: Client, ip: string) => {
    // The address and not the name: the library would connect to the name. Data connections take up a session of this host.
    const options = tls === null ? {} : { ...tls, host: ip };
    if (isImplicit) await client.connectImplicitTLS(ip, port, options);
    else await client.connect(ip, port);
    if (tls !== null && !isImplicit) await beginTls(client, options);
    await client.login(settings.user, secrets.password ?? '');
    await client.useDefaultSettings();
    if (tls !== null) await requireProtectedData(client);
  };

  return async (folders, signal, use) => {
    const ips = await reachHost(deps, { host: settings.host, port, ownPorts: [21, 990] }, signal);
    const client = new Client(limits.stallTimeoutMs);
    const close = () => client.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      await connectWithin(limits.connectTimeoutMs, () => logInAtOne(client, ips, logIn), close);
      await enterFolders(client, base, folders);
      const address = [`${settings.kind}://${host}`, ...base.parts, ...folders].join('/');
      return await use(createFtpFolder({ client, address, withKeyLock: deps.withKeyLock, signal }));
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  };
}

/** A server without TLS may answer `AUTH` as it would a wrong password. */
async function beginTls(client: Client, options: ConnectionOptions): Promise<void> {
  await client.useTLS(options).catch((error: unknown) => {
    if (!(error instanceof FTPError) || error.code < 500) throw error;
    throw new DeliveryError(
      'settings',
      `the server does not take AUTH TLS: it says ${quoteRemote(error.message)}; if its TLS begins with the connection, set tls to implicit, and if it knows none, kind to ftp`,
    );
  });
}

async function logInAtOne(
  client: Client,
  ips: readonly string[],
  logIn: (client: Client, ip: string) => Promise<void>,
): Promise<void> {
  for (const [index, ip] of ips.entries()) {
    try {
      await logIn(client, ip);
      return;
    } catch (error) {
      const failure = explainFtpFailure(error, 'logging in');
      if (failure.code !== 'unreachable' || index === ips.length - 1) throw failure;
    }
  }
}

/** Images would go in the clear where a server takes TLS for commands alone. */
async function requireProtectedData(client: Client): Promise<void> {
  try {
    await client.send('PROT P');
  } catch (error) {
    const failure = explainFtpFailure(error, 'asking for TLS on data connections');
    throw new DeliveryError(failure.code, `${failure.message}; it must allow PROT P`);
  }
}

/** Goes to a folder step by step, making what is missing. */
async function enterFolders(
  client: Client,
  { isAbsolute, parts }: ReturnType<typeof splitFolder>,
  folders: readonly string[],
): Promise<void> {
  try {
    if (isAbsolute) await client.cd('/');
    for (const part of [...parts, ...folders]) {
      try {
        await client.cd(part);
      } catch (error) {
        if (!isNotThere(error)) throw error;
        // Another may make it at the same moment; what counts is whether it can be entered then.
        await client.sendIgnoringError(`MKD ${part}`);
        await client.cd(part);
      }
    }
  } catch (error) {
    throw explainFtpFailure(error, `entering the folder /${[...parts, ...folders].join('/')}`);
  }
}
