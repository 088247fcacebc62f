export type ModelTask = 'classification' | 'object_detection';

/** A model that the account made. */
export interface CustomModel {
  /** What v1 names it by. */
  readonly model_id: number;
  /** What v2 names it by; either does everywhere. */
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly task: ModelTask;
  /** The number of the version that predicts; null before there is one. */
  readonly version: number | null;
  /** What it was trained on last. */
  readonly dataset_id: number | null;
  readonly created_at: string;
}

/** What was deleted, for good. */
export interface ModelReceipt {
  readonly versions: number;
  /** Trainings and comparisons of it, ended or not. */
  readonly jobs: number;
  readonly model_bytes: number;
}

export interface ModelVersion {
  readonly number: number;
  /** What a kept analysis names it by. */
  readonly uid: string;
  readonly origin: 'training' | 'upload';
  /** Whether it is the one that predicts. */
  readonly is_current: boolean;
  readonly model_bytes: number;
  /** The job that trained it. */
  readonly job_id: string | null;
  readonly created_at: string;
}

export interface ReadModelVersion extends ModelVersion {
  /** In the order of the outputs. */
  readonly labels: readonly string[];
  /** Of an upload: how its file was understood. */
  readonly import: ModelImport | null;
}

export interface ModelImport {
  readonly format: string;
  readonly files: readonly string[];
  readonly options: ModelImportOptions;
  /** What was found or assumed, one sentence each. */
  readonly notes: readonly string[];
  /** Of a run on one thread. */
  readonly trial_ms: number;
  /** Memory in MiB of the process that tried it. */
  readonly trial_mb: number;
}

/** What an owner may say of a model file; docs/uploads.md tells each. */
export interface ModelImportOptions {
  readonly family?: 'classifier' | 'detector' | 'embedder';
  readonly labels?: readonly string[];
  readonly layout?: 'yolov5' | 'yolov8' | 'yolox' | 'detr' | 'ssd' | 'rows';
  readonly input?: {
    readonly width?: number;
    readonly height?: number;
    readonly fit?: 'squash' | 'centre' | 'letterbox';
    readonly channels?: 'rgb' | 'bgr' | 'grey';
    readonly mean?: readonly number[];
    readonly std?: readonly number[];
  };
  readonly boxes?: {
    readonly format?: 'cxcywh' | 'xyxy' | 'yxyx';
    readonly unit?: 'pixels' | 'relative';
  };
  readonly activation?: 'none' | 'sigmoid' | 'softmax' | 'softmax-last';
  readonly threshold?: number;
  readonly first_class?: number;
}
