import { isIPv6 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, enterPassiveModeIPv4, enterPassiveModeIPv6, FTPError } from 'basic-ftp';
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
    // `host` is the checked address, because the library connects to it. Data connections resume the TLS session of this host.
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
    client.prepareTransfer = preparePassiveTransfer();
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

/** The two numbers of the port behind the four of an address (RFC 959), of three digits at most: a server may send any text. */
const passivePort = /(?<!\d)(?:\d{1,3},){4}(\d{1,3},\d{1,3})(?!\d)/;

/**
 * EPSV (RFC 2428), or PASV with the port alone of its answer: a server behind NAT names a private address, and one that names another
 * host could lead the service into a network.
 */
function preparePassiveTransfer(): Client['prepareTransfer'] {
  let isExtended: boolean | null = null;
  return async (context) => {
    if (isExtended !== false) {
      try {
        const response = await enterPassiveModeIPv6(context);
        isExtended = true;
        return response;
      } catch (error) {
        if (isExtended || !(error instanceof FTPError)) throw error;
        isExtended = false;
      }
    }
    const host = (context.socket.remoteAddress ?? '').replace(/^::ffff:/i, '').replaceAll('.', ',');
    const request = context.request.bind(context);
    context.request = async (command) => {
      const response = await request(command);
      const [, dataPort] = passivePort.exec(response.message) ?? [];
      if (dataPort === undefined) {
        const said = quoteRemote(response.message);
        throw new DeliveryError('unreachable', `the server says ${said} to PASV, which names no port`);
      }
      return { ...response, message: `227 (${host},${dataPort})` };
    };
    try {
      return await enterPassiveModeIPv4(context);
    } finally {
      context.request = request;
    }
  };
}

/** A server without TLS may answer `AUTH` with the same code as a wrong password. */
async function beginTls(client: Client, options: ConnectionOptions): Promise<void> {
  await client.useTLS(options).catch((error: unknown) => {
    if (!(error instanceof FTPError) || error.code < 500) throw error;
    throw new DeliveryError(
      'settings',
      `the server refuses AUTH TLS with ${quoteRemote(error.message)}; if it uses TLS from the first byte, set tls to implicit; if it does not support TLS, set kind to ftp`,
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

/** Without it, a server that uses TLS for commands only would receive the images in plain text. */
async function requireProtectedData(client: Client): Promise<void> {
  try {
    await client.send('PROT P');
  } catch (error) {
    const failure = explainFtpFailure(error, 'asking for TLS on data connections');
    throw new DeliveryError(failure.code, `${failure.message}; it must allow PROT P`);
  }
}

/** Enters a folder step by step and creates missing ones. */
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
        // Another client may create it at the same time; only entering it must succeed.
        await client.sendIgnoringError(`MKD ${part}`);
        await client.cd(part);
      }
    }
  } catch (error) {
    throw explainFtpFailure(error, `entering the folder /${[...parts, ...folders].join('/')}`);
  }
}
