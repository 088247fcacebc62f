import { accountDeletion, accountDeletionCount, accountDeletionFolder } from './tables/account-deletions.js';
import {
  account,
  accountCounter,
  apiKey,
  compatKey,
  compatListener,
  installationKey,
  usage,
} from './tables/accounts.js';
import { analysis } from './tables/analyses.js';
import { dataset, datasetClass, datasetImage, datasetLabel } from './tables/datasets.js';
import type { RowOf } from './tables/define-table.js';
import {
  dropBox,
  dropEvent,
  dropFile,
  dropFileChunk,
  dropFolder,
  ftpCertificate,
  sftpHostKey,
} from './tables/drops.js';
import { dataFolder, installation } from './tables/installation.js';
import { job } from './tables/jobs.js';
import { lease } from './tables/leases.js';
import { model, modelVersion } from './tables/models.js';
import {
  faceChange,
  faceCorrection,
  faceEmbedding,
  faceImage,
  faceNotEmbedded,
  faceTotal,
  perception,
  person,
} from './tables/perceptions.js';
import { leaderLease, minimumVersion, replica, throttle } from './tables/replicas.js';
import {
  mediaBlob,
  stream,
  streamEvent,
  streamFrames,
  streamOutput,
  streamOutputTopic,
  streamPreview,
  streamState,
  streamTrack,
  video,
} from './tables/streams.js';
import {
  auditEntry,
  webCodeCounter,
  webLink,
  webPageKey,
  webRecoveryCode,
  webSession,
  webUser,
} from './tables/users.js';

/**
 * The tables, for SQLite and PostgreSQL alike. Times are milliseconds since 1970 in a 64-bit integer, booleans the
 * integers 0 and 1, JSON is text written by us, ids are 64-bit integers below 2^53. Every row that a customer owns
 * carries its account. Each table comes after those that it refers to: they are created in this order, and the rows of an
 * account are deleted in the reverse order.
 */
export const tables = {
  account,
  account_counter: accountCounter,
  face_total: faceTotal,
  api_key: apiKey,
  compat_key: compatKey,
  compat_listener: compatListener,
  web_user: webUser,
  web_code_counter: webCodeCounter,
  web_recovery_code: webRecoveryCode,
  audit_entry: auditEntry,
  usage,
  analysis,
  video,
  stream_frames: streamFrames,
  stream_output: streamOutput,
  stream_output_topic: streamOutputTopic,
  stream,
  stream_preview: streamPreview,
  stream_state: streamState,
  stream_track: streamTrack,
  stream_event: streamEvent,
  media_blob: mediaBlob,
  drop_box: dropBox,
  drop_folder: dropFolder,
  drop_file: dropFile,
  drop_file_chunk: dropFileChunk,
  drop_event: dropEvent,
  model,
  model_version: modelVersion,
  dataset,
  dataset_class: datasetClass,
  dataset_image: datasetImage,
  dataset_label: datasetLabel,
  perception,
  person,
  face_change: faceChange,
  face_correction: faceCorrection,
  face_image: faceImage,
  face_embedding: faceEmbedding,
  face_not_embedded: faceNotEmbedded,
  job,
  web_link: webLink,
  web_session: webSession,
  web_page_key: webPageKey,
  account_deletion: accountDeletion,
  account_deletion_folder: accountDeletionFolder,
  account_deletion_count: accountDeletionCount,
  installation,
  installation_key: installationKey,
  ftp_certificate: ftpCertificate,
  sftp_host_key: sftpHostKey,
  data_folder: dataFolder,
  replica,
  leader_lease: leaderLease,
  throttle,
  minimum_version: minimumVersion,
  lease,
};

export type Schema = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> };
