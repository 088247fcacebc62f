export type { FileFilter } from './account/files.js';
export type { AccountEvent } from './account/follow-account.js';
export type { ChangeKeyOptions, CompatOptions, CreateKeyOptions, RevokeKeyOptions } from './account/keys.js';
export type { Moment } from './account/moment.js';
export type { ListOptions, Page, PageOptions } from './account/pages.js';
export type { UsageFilter } from './account/usage.js';
export type { ChangeAccountOptions, CreateAccountOptions, DeleteAccountOptions } from './admin/admin.js';
export type { CreateCompatListenerOptions } from './admin/compat-listeners.js';
export type * from './api-types.js';
export { auditActions } from './api-types.js';
export { createLynceusClient, type LynceusClient } from './client.js';
export type { DatasetClassOptions, MergeClassOptions, RemoveClassOptions } from './datasets/classes.js';
export type {
  CreateDatasetOptions,
  DatasetFormat,
  DatasetImportFormat,
  ExportOptions,
  ImportFindingsOptions,
  ImportOptions,
  RenameDatasetOptions,
  SplitOptions,
} from './datasets/datasets.js';
export {
  type AddImagesOptions,
  type DatasetImageFilter,
  type LabelInput,
  labelsChangedTo,
  type NamedImage,
  type SetLabelsOptions,
} from './datasets/images.js';
export type { ChangeDropOptions, CreateDropOptions } from './drops/drops.js';
export type { DropFileFilter } from './drops/files.js';
export { type ClientErrorCode, type ErrorCode, type ErrorFacts, LynceusError } from './error.js';
export type { Image, ImageAddress } from './image.js';
export type { JobFilter } from './jobs/jobs.js';
export type { ChangeModelOptions, CreateModelOptions, ModelTask } from './models/models.js';
export type { NewComparison, NewRun } from './models/runs.js';
export type { NewVersionOptions, UploadVersionOptions } from './models/versions.js';
export type { CallOptions, ClientOptions, Fetch, PageSession } from './options.js';
export type { ChangeCalibrationOptions } from './perceptions/calibration.js';
export type { CorrectionOptions } from './perceptions/corrections.js';
export type { ChangeEmbedderOptions } from './perceptions/embedders.js';
export type {
  AddImageByKeyIdOptions,
  AddImageOptions,
  ImagesOf,
  MoveImagesOptions,
} from './perceptions/face-images.js';
export type {
  ChangePersonOptions,
  CreatePersonFields,
  MergeOptions,
  PeopleFilter,
} from './perceptions/people.js';
export type {
  ChangePerceptionOptions,
  CreatePerceptionOptions,
  PerceptionSettings,
  SearchPerceptionOptions,
} from './perceptions/perceptions.js';
export type { DetectOptions } from './recognition/detect.js';
export type {
  CreatePersonOptions,
  FaceSearchOptions,
  InsertImageByKeyIdOptions,
  InsertImageOptions,
} from './recognition/faces.js';
export type { WithFileId } from './recognition/file-id.js';
export type { Preview, PreviewOptions } from './recognition/preview.js';
export type { RecogniseOptions, RecogniseWithOptions } from './recognition/recognise.js';
export type { FrameOptions, StreamTags, ViewOptions } from './streams/live.js';
export type { ChangeStreamOutputOptions, CreateStreamOutputOptions } from './streams/outputs.js';
export type { SeenFilter, SnapshotOptions } from './streams/seen.js';
export type {
  ChangeStreamOptions,
  CreateStreamOptions,
  TestStreamOptions,
  ViewTokenOptions,
} from './streams/streams.js';
export type { FaceThumbnailOptions, ThumbnailOptions } from './thumbnail.js';
export type { UseLinkOptions } from './users/links.js';
export type { AuditFilter, InvitationOptions, KeyChoices, UserSearch } from './users/members.js';
export type { ChangeUserOptions } from './users/own-user.js';
export type { SignInOptions, SignUpOptions } from './users/session.js';
export type { AnalyseVideoOptions, CreateVideoOptions } from './videos/videos.js';
