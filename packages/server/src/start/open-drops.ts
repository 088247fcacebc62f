import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '../accounts/accounts.js';
import type { Clock } from '../core/clock.js';
import { ConfigError } from '../core/config-error.js';
import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { Settings } from '../core/settings.js';
import { type DropStore, openDropStore } from '../drops/drop-store.js';
import { defaultExiftoolOptions, type Exiftool, startExiftool } from '../drops/keywords/exiftool.js';
import { parsePublicAddresses } from '../ftp/addresses.js';
import { createFtpComponent, type FtpComponent } from '../ftp/ftp-component.js';
import { defaultFtpLimits, type FtpOptions } from '../ftp/ftp-options.js';
import type { JobKind } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Recognition } from '../recognition/recognition.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import type { ImageRef } from '../thumbnails/thumbnail-files.js';
import { namingItsPort } from './listen-failure.js';
import { logFtpEvents, usualFtpLog } from './log-ftp-events.js';

/** Of the connections of FTP, so that one account leaves some to the others. */
const shareOfOneAccount = 0.5;

export interface OpenDropsDeps {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: DataFolder;
  /** Of that data folder. */
  readonly folderUid: string;
  readonly installationKey: Uint8Array;
  readonly accounts: Accounts;
  readonly jobs: Pick<Jobs, 'insert'>;
  readonly recognition: Recognition;
  readonly chooseModel: ChooseModel;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly forgetThumbnails: (image: ImageRef) => Promise<unknown>;
  readonly wakeJobs: () => void;
}

export interface OpenedDrops {
  readonly store: DropStore;
  /** Done where the files are: with the service that takes them. */
  readonly kinds: readonly JobKind[];
  /** Before the jobs, and behind them, in the order of starting. */
  readonly filesComponent: Component;
  /** Null where FTP is off. */
  readonly ftp: FtpComponent | null;
}

export async function openDrops(deps: OpenDropsDeps): Promise<OpenedDrops> {
  const { settings, folder, clock, logger } = deps;
  const exiftool = startExiftool(defaultExiftoolOptions);
  const store = await openDropStore({
    ...deps,
    exiftool,
    onRetryFailure: (error) =>
      logger.warn({ err: error }, 'files that waited for a destination which works again come later'),
    limits: {
      maxFileBytes: settings.dropMaxFileBytes,
      maxUnfinishedFiles: settings.dropMaxWaitingFiles,
      reserveBytes: settings.diskReserveBytes,
      settleMs: settings.dropSettleMs,
      retryForMs: settings.dropRetryHours * 3_600_000,
      concurrency: settings.dropConcurrency,
      maxImageBytes: settings.dropMaxFileBytes,
      allowedNetworks: settings.deliveryAllowedNetworks,
      allowedFolders: settings.dropFolders,
      domain: settings.dropDomain,
      ftpPort: settings.ftpPort > 0 ? settings.ftpPort : null,
    },
  });
  const isOn = settings.ftpPort > 0;
  return {
    store,
    kinds: isOn ? [store.work] : [],
    filesComponent: createFilesComponent(store, exiftool, isOn, logger),
    ftp: isOn
      ? namingItsPort(
          createFtpComponent({
            options: ftpOptionsOf(settings, folder),
            logIn: store.logIn,
            clock,
            onEvent: logFtpEvents({ logger, ...usualFtpLog }),
          }),
          { port: 'ftpPort', host: settings.ftpHost === '' ? 'host' : 'ftpHost' },
        )
      : null,
  };
}

function createFilesComponent(
  store: DropStore,
  exiftool: Exiftool,
  isOn: boolean,
  logger: OpenDropsDeps['logger'],
): Component {
  return {
    name: 'drops',
    async start() {
      await store.deletion.finish();
      if (!isOn) return;
      await store.recoverCut();
      await exiftool
        .checkAvailable()
        .catch((error: unknown) =>
          logger.error({ err: error }, 'files of drops will wait: no keywords can be written'),
        );
    },
    isReady: () => true,
    stop: () => exiftool.close(),
  };
}

function ftpOptionsOf(settings: Settings, folder: DataFolder): FtpOptions {
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
  return {
    host: settings.ftpHost === '' ? settings.host : settings.ftpHost,
    port: settings.ftpPort,
    passivePorts: { first, last },
    publicAddresses: readPublicAddresses(settings.ftpPublicAddress),
    allowsActive: settings.ftpActive,
    requiresTls: settings.ftpRequireTls,
    needsCloseNotify: settings.ftpTlsNeedsCloseNotify,
    certificate: ftpCertificateFile === '' ? null : { certificate: ftpCertificateFile, key: ftpKeyFile },
    certificateDir: join(folder.dir, 'ftp'),
    hostName: settings.dropDomain === '' ? hostname() : `*.${settings.dropDomain}`,
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
