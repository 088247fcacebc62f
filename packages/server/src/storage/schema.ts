import type {
  AccountDeletionCountTable,
  AccountDeletionFolderTable,
  AccountDeletionTable,
} from './tables/account-deletions.js';
import type {
  AccountCounterTable,
  AccountTable,
  ApiKeyTable,
  CompatKeyTable,
  CompatListenerTable,
  InstallationKeyTable,
  UsageTable,
} from './tables/accounts.js';
import type { AnalysisTable } from './tables/analyses.js';
import type {
  DatasetClassTable,
  DatasetImageTable,
  DatasetLabelTable,
  DatasetTable,
} from './tables/datasets.js';
import type {
  DropEventTable,
  DropFileChunkTable,
  DropFileTable,
  DropFolderTable,
  DropTable,
  FtpCertificateTable,
  SftpHostKeyTable,
} from './tables/drops.js';
import type { DataFolderTable, InstallationTable } from './tables/installation.js';
import type { JobTable } from './tables/jobs.js';
import type { LeaseTable } from './tables/leases.js';
import type { ModelTable, ModelVersionTable } from './tables/models.js';
import type {
  FaceChangeTable,
  FaceCorrectionTable,
  FaceEmbeddingTable,
  FaceImageTable,
  FaceNotEmbeddedTable,
  FaceTotalTable,
  PerceptionTable,
  PersonTable,
} from './tables/perceptions.js';
import type {
  LeaderLeaseTable,
  MinimumVersionTable,
  ReplicaTable,
  ThrottleTable,
} from './tables/replicas.js';
import type {
  MediaBlobTable,
  StreamEventTable,
  StreamFramesTable,
  StreamOutputTable,
  StreamOutputTopicTable,
  StreamPreviewTable,
  StreamStateTable,
  StreamTable,
  StreamTrackTable,
  VideoTable,
} from './tables/streams.js';
import type {
  AuditEntryTable,
  WebCodeCounterTable,
  WebLinkTable,
  WebPageKeyTable,
  WebRecoveryCodeTable,
  WebSessionTable,
  WebUserTable,
} from './tables/users.js';

/**
 * The tables, for SQLite and PostgreSQL alike. Times are milliseconds since 1970 in a 64-bit integer, booleans the
 * integers 0 and 1, JSON is text written by us, ids are 64-bit integers below 2^53. Every row that a customer owns
 * carries its account.
 */
export interface Schema {
  account: AccountTable;
  api_key: ApiKeyTable;
  compat_key: CompatKeyTable;
  compat_listener: CompatListenerTable;
  usage: UsageTable;
  analysis: AnalysisTable;
  installation_key: InstallationKeyTable;
  account_counter: AccountCounterTable;
  perception: PerceptionTable;
  person: PersonTable;
  face_image: FaceImageTable;
  face_embedding: FaceEmbeddingTable;
  face_not_embedded: FaceNotEmbeddedTable;
  face_correction: FaceCorrectionTable;
  face_change: FaceChangeTable;
  face_total: FaceTotalTable;
  job: JobTable;
  lease: LeaseTable;
  dataset: DatasetTable;
  dataset_class: DatasetClassTable;
  dataset_image: DatasetImageTable;
  dataset_label: DatasetLabelTable;
  model: ModelTable;
  model_version: ModelVersionTable;
  drop_box: DropTable;
  drop_folder: DropFolderTable;
  drop_file: DropFileTable;
  drop_file_chunk: DropFileChunkTable;
  drop_event: DropEventTable;
  ftp_certificate: FtpCertificateTable;
  sftp_host_key: SftpHostKeyTable;
  web_user: WebUserTable;
  web_recovery_code: WebRecoveryCodeTable;
  web_code_counter: WebCodeCounterTable;
  web_session: WebSessionTable;
  web_page_key: WebPageKeyTable;
  web_link: WebLinkTable;
  audit_entry: AuditEntryTable;
  installation: InstallationTable;
  data_folder: DataFolderTable;
  account_deletion: AccountDeletionTable;
  account_deletion_folder: AccountDeletionFolderTable;
  account_deletion_count: AccountDeletionCountTable;
  replica: ReplicaTable;
  leader_lease: LeaderLeaseTable;
  throttle: ThrottleTable;
  minimum_version: MinimumVersionTable;
  stream: StreamTable;
  stream_state: StreamStateTable;
  stream_preview: StreamPreviewTable;
  stream_track: StreamTrackTable;
  stream_event: StreamEventTable;
  stream_output: StreamOutputTable;
  stream_output_topic: StreamOutputTopicTable;
  stream_frames: StreamFramesTable;
  video: VideoTable;
  media_blob: MediaBlobTable;
}
