import { createKey } from '#server/accounts/keys.js';
import { createFilesOfDrops } from '#server/drops/files/files-of-drops.js';
import { openFolderFileBytes } from '#server/drops/files/folder-file-bytes.js';
import { createFtpComponent } from '#server/drops/ftp/ftp-component.js';
import { defaultFtpLimits } from '#server/drops/ftp/ftp-options.js';
import type { FtpEvent } from '#server/drops/ftp/session.js';
import { createLogInThrottle } from '#server/drops/servers/log-in-throttle.js';
import { ensureOwnHostKeys } from '#server/drops/sftp/host-keys.js';
import { createSftpComponent } from '#server/drops/sftp/sftp-component.js';
import { defaultSftpLimits } from '#server/drops/sftp/sftp-options.js';
import type { SftpEvent } from '#server/drops/sftp/sftp-service.js';
import { createJobs } from '#server/service/jobs/jobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { createProcessLeases } from '#server/storage/leases/process-leases.js';
import { openServiceStorage } from '#server/storage/open-storage.js';

/**
 * The drop's servers of FTP and SFTP with its files and its database, in a separate process; uploads are not processed. Reports
 * its ports. Every key opens the drop.
 */
const [dir = '', certificate = '', key = ''] = process.argv.slice(2);
const clock = Date.now;
const { database, folder, pair } = await openServiceStorage(dataFolder(dir));
const { accountId, keyId } = await createKey(
  { database, clock, trialCalls: 1000, resultDays: 1 },
  { account: 'one', name: 'bench', expiresAt: null },
);
const files = createFilesOfDrops({
  database,
  clock,
  jobs: createJobs({ database, clock }),
  bytes: await openFolderFileBytes(folder.dropsDir, { reserveBytes: 0 }),
  folderUid: pair.folder,
  leases: createProcessLeases({ database, folderUid: pair.folder, isAlone: true }),
  maxFileBytes: 2 ** 40,
  maxUnfinishedFiles: 2 ** 40,
  settleMs: 0,
});
const drop = { accountId, dropId: 1 };
await database.write([
  database.query.insertInto('drop_box').values({
    account_id: accountId,
    id: drop.dropId,
    uid: 'bench',
    name: 'bench',
    user_name: 'bench',
    key_id: keyId,
    settings: '{}',
    destination: null,
    sealed_secrets: null,
    created_at: clock(),
    deleted_at: null,
  }),
]);
const logInThrottle = createLogInThrottle(defaultFtpLimits.logInThrottle, { database, clock });
const logIn = async () => ({ ...drop, folders: files.foldersOf(drop), isOpen: async () => true });
const onEvent = (event: FtpEvent | SftpEvent): void => {
  if (event.kind === 'failed' || event.kind === 'cut') console.error(event);
};
const component = createFtpComponent({
  logInThrottle,
  options: {
    host: '127.0.0.1',
    port: 0,
    passivePorts: { first: 0, last: 0 },
    publicAddresses: [],
    proxies: [],
    allowsActive: false,
    requiresTls: false,
    needsCloseNotify: true,
    certificate: { certificate, key },
    certificateDir: '',
    hostName: 'localhost',
    certificateAddresses: [],
    limits: defaultFtpLimits,
  },
  logIn,
  clock,
  onEvent,
});
const sftp = createSftpComponent({
  logInThrottle,
  options: { host: '127.0.0.1', port: 0, proxies: [], limits: defaultSftpLimits },
  logIn,
  logInByKey: logIn,
  diskSpace: async () => null,
  bringHostKeys: () => ensureOwnHostKeys(dir, () => undefined),
  hostKeysCheckMs: null,
  clock,
  onEvent,
});
await component.start();
await sftp.start();
process.send?.({ port: component.port, sftpPort: sftp.port });
