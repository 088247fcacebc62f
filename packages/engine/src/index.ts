export { fitDetectorScores, type LabelledDetections } from './adding/fit-detector-scores.js';
export { fitTemperature, type LabelledProbabilities } from './adding/fit-temperature.js';
export { openCatalog } from './adding/open-catalog.js';
export { type OpenZip, openZip, ZipError, type ZippedFile } from './archive/open-zip.js';
export type {
  AddOutcome,
  AddRequest,
  Catalog,
  CatalogModel,
  FittedCalibration,
  InstallOptions,
  InstallProgress,
  LeftOutEntry,
} from './catalog/catalog.js';
export { CatalogError } from './catalog/catalog-error.js';
export { type Label, ModelManifest, type ModelRef } from './catalog/manifest.js';
export { defaultModelsDir } from './catalog/models-dir.js';
export { type ChildExit, ChildHost, type ReachedLimit } from './child-process/child-host.js';
export { findDeathGuard } from './child-process/death-guard.js';
export { EngineError, type EngineErrorCode } from './errors.js';
export {
  areaRanges,
  averagePrecision,
  type EvaluatedImage,
  type Judgement,
  judge,
  type WorkingPoint,
  workingPoint,
} from './evaluation/average-precision.js';
export { type Drawing, type DrawOptions, drawMarks, type Mark } from './image/annotate.js';
export { Base64Spaces, decodeBase64 } from './image/base64.js';
export { type Box, boxArea, boxIou, type Point } from './image/box.js';
export { identifyImage } from './image/identify.js';
export {
  encodedKind,
  type FrameSource,
  type ImageKind,
  type ImageLimits,
  type ImageSource,
  imageMediaType,
} from './image/image.js';
export { openImage } from './image/open-image.js';
export type { ImageRegion } from './image/reduced.js';
export { isRawTiff } from './image/structure/raw-tiff.js';
export { checkNesting, readYaml } from './read-yaml.js';
export type { RunnerEvent } from './runtime/events.js';
export type { Run } from './runtime/fair-queue.js';
export { askInt8Arithmetic } from './runtime/int8/ask-process.js';
export type { Int8Arithmetic } from './runtime/int8/int8-arithmetic.js';
export type {
  AnalyseJob,
  Analysis,
  ModelRunner,
  RunOptions,
  UnpackedJson,
  UnpackJsonJob,
} from './runtime/job.js';
export { JobQueue, type JobQueueOptions } from './runtime/job-queue.js';
export { modelsOf } from './runtime/models-of.js';
export { byPriority, type Priority } from './runtime/priority.js';
export {
  createProcessRunner,
  type ProcessRunner,
  type ProcessRunnerOptions,
  type RunnerStats,
} from './runtime/process-runner.js';
export { RecentOwners } from './runtime/recent-owners.js';
export { createSplitRunner, type SplitRunnerOptions } from './runtime/split-runner.js';
export type { ClassScore } from './tasks/classify/classify.js';
export type { Detection, DetectResult } from './tasks/detect/detections.js';
export type { DetectionDetail } from './tasks/detect/run-detector.js';
export {
  type ChainFigures,
  defaultFaceChain,
  type FaceChain,
  type FaceChainName,
  faceChains,
  modelsOfFaceChain,
} from './tasks/faces/chains.js';
export type { Face, FaceProblem, FaceQuality, FacesResult, FivePoints } from './tasks/faces/face.js';
export type { FaceModels, FacesOptions } from './tasks/faces/faces.js';
export { qualityThresholds } from './tasks/faces/quality.js';
export { type TextLanguage, textLanguages } from './tasks/read-text/languages.js';
export type { ReadTextOptions } from './tasks/read-text/read-text.js';
export type { ReadTextResult, TextLine } from './tasks/read-text/text-lines.js';
export type { TaskCall, TaskName, TaskResults } from './tasks/registry.js';
export type { Segment } from './tasks/segment/segment.js';
export type { ThumbnailResult } from './tasks/thumbnail/thumbnail.js';
export {
  type ClassifierFigures,
  ClassifierReport,
} from './training/classifier/classifier-report.js';
export { wilsonInterval } from './training/classifier/measure.js';
export { DetectorReport } from './training/detector/detector-report.js';
export { seededRandom } from './training/seeded-random.js';
export { createTrainer, type Trainer, type TrainerOptions, type TrainOptions } from './training/trainer.js';
export { TrainingError, type TrainingErrorCode } from './training/training-error.js';
export type {
  BoxedImage,
  ClassifiedImage,
  ClassifierTraining,
  DetectorTraining,
  LabelledBox,
  TrainingImage,
  TrainingJob,
  TrainingOutcome,
  TrainingProgress,
} from './training/training-job.js';
export { ImportOptions } from './uploads/import-options.js';
export { ImportRecord } from './uploads/import-record.js';
export {
  importUpload,
  type ReimportRequest,
  readImportRecord,
  reimportUpload,
  type UploadFile,
  type UploadOutcome,
  type UploadRequest,
} from './uploads/import-upload.js';
export { defaultUploadLimits, type UploadLimits } from './uploads/limits.js';
export { UploadRefused } from './uploads/upload-refused.js';
