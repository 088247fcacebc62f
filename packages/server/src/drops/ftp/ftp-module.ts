import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../core/config-error.js';
import { machineAddresses } from '../../core/machine-addresses.js';
import type { Settings } from '../../core/settings.js';
import { parseTrustedProxies } from '../../core/trusted-proxies.js';
import type { Core } from '../../service/core.js';
import type { DataFolder } from '../../storage/data-folder.js';
import type { LogInToDrop } from '../drop-folders.js';
import { createLogInThrottle } from '../servers/log-in-throttle.js';
import { usualSampling } from '../servers/sampled-log.js';
import { parsePublicAddresses } from './addresses.js';
import { createFtpComponent, type FtpComponent } from './ftp-component.js';
import { defaultFtpLimits, type FtpOptions } from './ftp-options.js';
import { logFtpEvents } from './log-ftp-events.js';
import { createSharedCertificate } from './shared-certificate.js';

/** Of the connections of FTP, so that one account leaves some to the others. */
const shareOfOneAccount = 0.5;

/** The FTP server of the settings; null where FTP is off. Throws ConfigError. */
export function createFtp(core: Core, logIn: LogInToDrop): FtpComponent | null {
  const { settings, folder, clock, logger } = core;
  if (settings.ftpPort === 0) return null;
  const options = ftpOptionsOf(settings, folder);
  return createFtpComponent({
    options,
    logIn,
    logInThrottle: createLogInThrottle(options.limits.logInThrottle, core),
    clock,
    onEvent: logFtpEvents({ logger, ...usualSampling }),
    bringCertificate:
      settings.databaseUrl === ''
        ? undefined
        : createSharedCertificate({
            ...core,
            keys: core.installationKeys,
            withSharedLock: core.leases.withSharedLock,
            folder: options.certificateDir,
            hostName: options.hostName,
            certificateAddresses: options.certificateAddresses,
          }),
  });
}

/** Throws ConfigError. */
export function ftpOptionsOf(settings: Settings, folder: Pick<DataFolder, 'dir'>): FtpOptions {
  const { ftpCertificateFile, ftpKeyFile } = settings;
  if ((ftpCertificateFile === '') !== (ftpKeyFile === '')) {
    throw new ConfigError('ftpCertificateFile and ftpKeyFile go together: set both or neither.');
  }
  const [first = 0, last = 0] = settings.ftpPassivePorts.split('-').map(Number);
  if (first > last || last > 65_535) {
    throw new ConfigError(
      `ftpPassivePorts must be two ports, first and last, and not ${settings.ftpPassivePorts}.`,
    );
  }
  const host = settings.ftpHost === '' ? settings.host : settings.ftpHost;
  const publicAddresses = readPublicAddresses(settings.ftpPublicAddress);
  return {
    host,
    port: settings.ftpPort,
    passivePorts: { first, last },
    publicAddresses,
    proxies: parseTrustedProxies(settings.ftpProxyProtocolFrom, 'ftpProxyProtocolFrom'),
    allowsActive: settings.ftpActive,
    requiresTls: settings.ftpRequireTls,
    needsCloseNotify: settings.ftpTlsNeedsCloseNotify,
    certificate: ftpCertificateFile === '' ? null : { certificate: ftpCertificateFile, key: ftpKeyFile },
    certificateDir: join(folder.dir, 'ftp'),
    hostName: settings.dropDomain === '' ? hostname() : `*.${settings.dropDomain}`,
    // Cameras are given an address, and compare it with the certificate. All who connect see them.
    certificateAddresses:
      publicAddresses.length > 0 ? publicAddresses.map(({ address }) => address) : machineAddresses(host),
    limits: {
      ...defaultFtpLimits,
      maxConnections: settings.ftpMaxConnections,
      maxPerAccount: Math.ceil(settings.ftpMaxConnections * shareOfOneAccount),
    },
  };
}

function readPublicAddresses(list: string): FtpOptions['publicAddresses'] {
  try {
    return parsePublicAddresses(list);
  } catch (error) {
    throw new ConfigError(`ftpPublicAddress: ${error instanceof Error ? error.message : String(error)}`);
  }
}
