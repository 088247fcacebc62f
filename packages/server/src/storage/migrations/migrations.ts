import type { Kysely, Migration } from 'kysely';
import { createAccounts } from './0001-accounts.js';
import { indexAnalysesByOperation } from './0002-analyses-by-operation.js';
import { addKeyLimits } from './0003-key-limits.js';
import { addKeptPictures } from './0004-kept-pictures.js';
import { createPerceptions } from './0005-perceptions.js';
import { listFaceChanges } from './0006-face-changes.js';
import { createJobs } from './0007-jobs.js';
import { rememberEmbedders } from './0008-changing-embedders.js';
import { createDatasets } from './0009-datasets.js';
import { createModels } from './0010-models.js';
import { addJobTimeLeft } from './0011-job-time-left.js';
import { createDrops } from './0012-drops.js';
import { createPeople } from './0013-people.js';
import { indexLists } from './0014-lists-of-the-console.js';
import { searchPeople } from './0015-people-searched.js';
import { identifyInstallation } from './0016-installation.js';
import { countCodes } from './0017-second-factor-guesses.js';
import { rememberCreators } from './0018-creators.js';
import { indexJobsByAccount } from './0020-jobs-by-account.js';
import { indexFaceBytes } from './0021-face-quota.js';
import { addLabelsRevision } from './0022-labels-revision.js';
import { createAccountDeletions } from './0023-account-deletions.js';
import { rememberFolderOfDropFiles } from './0025-folder-of-drop-files.js';
import { attributeCreators } from './0026-creators-from-audit.js';
import { countFaces } from './0027-face-totals.js';
import { renameToTerms } from './0028-terms.js';
import { addLeases } from './0029-leases.js';
import { createReplicas } from './0030-replicas.js';
import { rememberBucket } from './0031-bucket.js';
import { createDropFileChunks } from './0033-drop-file-chunks.js';
import { letReplicasAgree } from './0034-agreement-of-replicas.js';
import { createCompatKeys } from './0035-compat-keys.js';
import { createCompatListeners } from './0036-compat-listeners.js';
import { createFtpCertificate } from './0037-ftp-certificate.js';
import { createStreams } from './0038-streams.js';
import { createSftpHostKey } from './0039-sftp-host-key.js';
import { addFolderVersions } from './0041-folder-versions.js';
import { createOutputTopics } from './0042-output-topics.js';
import { addFailedCalls } from './0043-failed-calls.js';
import { addOneLabel } from './0044-one-label.js';
import { markPartlyLabelled } from './0045-partly-labelled.js';
import type { ColumnTypes } from './column-types.js';

export type MigrationStep = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;
/** Steps by name; the names sort in the order in which they run. */
export type MigrationSteps = Readonly<Record<string, MigrationStep>>;

/**
 * Every change of the schema, in order, forward only. A released one is never edited: add a file and a row, and keep
 * `schema.ts` in step.
 */
export const shippedSteps: MigrationSteps = {
  '0001-accounts': createAccounts,
  '0002-analyses-by-operation': indexAnalysesByOperation,
  '0003-key-limits': addKeyLimits,
  '0004-kept-pictures': addKeptPictures,
  '0005-perceptions': createPerceptions,
  '0006-face-changes': listFaceChanges,
  '0007-jobs': createJobs,
  '0008-changing-embedders': rememberEmbedders,
  '0009-datasets': createDatasets,
  '0010-models': createModels,
  '0011-job-time-left': addJobTimeLeft,
  '0012-drops': createDrops,
  '0013-people': createPeople,
  '0014-lists-of-the-console': indexLists,
  '0015-people-searched': searchPeople,
  '0016-installation': identifyInstallation,
  '0017-second-factor-guesses': countCodes,
  '0018-creators': rememberCreators,
  '0020-jobs-by-account': indexJobsByAccount,
  '0021-face-quota': indexFaceBytes,
  '0022-labels-revision': addLabelsRevision,
  '0023-account-deletions': createAccountDeletions,
  '0025-folder-of-drop-files': rememberFolderOfDropFiles,
  '0026-creators-from-audit': attributeCreators,
  '0027-face-totals': countFaces,
  '0028-terms': renameToTerms,
  '0029-leases': addLeases,
  '0030-replicas': createReplicas,
  '0031-bucket': rememberBucket,
  '0033-drop-file-chunks': createDropFileChunks,
  '0034-agreement-of-replicas': letReplicasAgree,
  '0035-compat-keys': createCompatKeys,
  '0036-compat-listeners': createCompatListeners,
  '0037-ftp-certificate': createFtpCertificate,
  '0038-streams': createStreams,
  '0039-sftp-host-key': createSftpHostKey,
  '0041-folder-versions': addFolderVersions,
  '0042-output-topics': createOutputTopics,
  '0043-failed-calls': addFailedCalls,
  '0044-one-label': addOneLabel,
  '0045-partly-labelled': markPartlyLabelled,
};

export function toMigrations(steps: MigrationSteps, types: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, { up: (db) => step(db, types) }]),
  );
}
