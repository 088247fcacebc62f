import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTrustedProxies } from '../../core/trusted-proxies.js';
import type { Core } from '../../service/core.js';
import type { LogInByKey, LogInToDrop } from '../drop-folders.js';
import { createLogInThrottle } from '../servers/log-in-throttle.js';
import { usualSampling } from '../servers/sampled-log.js';
import { createSharedHostKeys, ensureOwnHostKeys } from './host-keys.js';
import { logSftpEvents } from './log-sftp-events.js';
import type { DiskSpace } from './responses.js';
import { createSftpComponent, type SftpComponent } from './sftp-component.js';
import { defaultSftpLimits } from './sftp-options.js';

/** Of the connections of SFTP, so that one account leaves some to the others. */
const shareOfOneAccount = 0.5;
const hostKeysCheckMs = 60_000;

interface SftpLogIns {
  readonly logIn: LogInToDrop;
  readonly logInByKey: LogInByKey;
}

/** The SFTP server of the settings; null where SFTP is off. Throws ConfigError. */
export function createSftp(core: Core, { logIn, logInByKey }: SftpLogIns): SftpComponent | null {
  const { settings, folder, clock, logger } = core;
  if (settings.sftpPort === 0) return null;
  const limits = {
    ...defaultSftpLimits,
    maxConnections: settings.sftpMaxConnections,
    maxPerAccount: Math.ceil(settings.sftpMaxConnections * shareOfOneAccount),
  };
  const hostKeysDir = join(folder.dir, 'sftp');
  const onDamaged = (keptPath: string): void =>
    logger.warn({ keptPath }, 'sftp: the host keys are damaged, and others take their place');
  const isShared = settings.databaseUrl !== '';
  const sharing = { ...core, keys: core.installationKeys, withSharedLock: core.leases.withSharedLock };
  return createSftpComponent({
    options: {
      host: settings.sftpHost === '' ? settings.host : settings.sftpHost,
      port: settings.sftpPort,
      proxies: parseTrustedProxies(settings.sftpProxyProtocolFrom, 'sftpProxyProtocolFrom'),
      limits,
    },
    logIn,
    logInByKey,
    logInThrottle: createLogInThrottle(limits.logInThrottle, core),
    clock,
    diskSpace: async () =>
      core.objects === null ? readDiskSpace(folder.dropsDir, settings.diskReserveBytes) : null,
    onEvent: logSftpEvents({ logger, ...usualSampling }),
    bringHostKeys: isShared
      ? createSharedHostKeys(sharing, hostKeysDir, onDamaged)
      : () => ensureOwnHostKeys(hostKeysDir, onDamaged),
    hostKeysCheckMs: isShared ? hostKeysCheckMs : null,
  });
}

/** What drops leave to others is not free. */
async function readDiskSpace(dir: string, reserveBytes: number): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(dir);
  return { totalBytes: blocks * bsize, freeBytes: Math.max(bavail * bsize - reserveBytes, 0) };
}
