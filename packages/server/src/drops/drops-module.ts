import type { Accounts } from '../accounts/accounts.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Recognition } from '../recognition/recognition.js';
import type { Core } from '../service/core.js';
import { ledSweep, type Module, plainSweep } from '../service/module.js';
import { type DropStore, openDropStore } from './drop-store.js';
import { defaultExiftoolOptions, startExiftool } from './keywords/exiftool.js';

export interface DropsModule extends Module {
  readonly dropStore: DropStore;
}

interface DropsModuleDeps {
  readonly accounts: Accounts;
  readonly recognition: Recognition;
  readonly chooseModel: ChooseModel;
}

/** Drops and the work on their files, which is done where they are: with the service that takes them, or by any where they are in a bucket. */
export async function openDropsModule(core: Core, deps: DropsModuleDeps): Promise<DropsModule> {
  const { settings, logger, mayServiceBeRunning } = core;
  const isOn = settings.ftpPort > 0 || settings.sftpPort > 0;
  const installationKeys = await core.installationKeys();
  let recovery: NodeJS.Timeout | undefined;
  const exiftool = startExiftool(defaultExiftoolOptions);
  const dropStore = await openDropStore({
    ...core,
    ...deps,
    exiftool,
    installationKeys,
    forgetThumbnails: core.thumbnailCache.forget,
    onRetryFailure: (error) =>
      logger.warn({ err: error }, 'files that waited for a destination which works again come later'),
    onWithoutKeywords: (file) => logger.warn(file, 'file is delivered without keywords'),
    limits: {
      maxFileBytes: settings.dropMaxFileBytes,
      maxUnfinishedFiles: settings.dropMaxWaitingFiles,
      reserveBytes: settings.diskReserveBytes,
      mayServiceBeRunning,
      settleMs: settings.dropSettleMs,
      retryForMs: settings.dropRetryHours * 3_600_000,
      concurrency: settings.dropConcurrency,
      maxImageBytes: settings.dropMaxFileBytes,
      allowedNetworks: settings.deliveryAllowedNetworks,
      allowedFolders: settings.dropFolders,
      domain: settings.dropDomain,
      ftpPort: settings.ftpPort || null,
      sftpPort: settings.sftpPort || null,
    },
  });
  /** Of services that died while this one runs. */
  const endCut = () => {
    dropStore
      .recoverCut()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'transfers of services that ended are looked for later'),
      );
  };
  return {
    dropStore,
    kinds: isOn ? [dropStore.work] : [],
    sweeps: [
      { ...plainSweep('abandoned-uploads', () => dropStore.recoverCut()), isRepair: true, isLocal: true },
      ledSweep('ended-drop-files', (fenced) => dropStore.sweep(fenced)),
    ],
    sweptStores: [dropStore.sweptBytes],
    accountFiles: [dropStore.accountFiles],
    images: { drop: dropStore.hasBytes },
    component: {
      name: 'drops',
      async start() {
        const { files, failed } = await dropStore.adoptFolderFiles();
        if (files > 0)
          logger.info({ files }, 'files of drops were moved from the data folder into the bucket');
        for (const { id, error } of failed)
          logger.error({ id, err: error }, 'a file of a drop stays in the data folder until the next start');
        await dropStore.deletion.finish();
        if (!isOn) return;
        await dropStore.recoverCut();
        if (!core.leases.isAlone) recovery = setInterval(endCut, core.leases.leaseMs).unref();
        await exiftool
          .checkAvailable()
          .catch((error: unknown) =>
            logger.error({ err: error }, 'files of drops will wait: no keywords can be written'),
          );
      },
      isReady: () => true,
      async stop() {
        clearInterval(recovery);
        await exiftool.close();
      },
    },
  };
}
