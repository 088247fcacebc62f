import type { ModelManifest } from '@lynceus/engine';

/** What a model tells of a picture; the words of the wire. */
export type ModelTask = 'classification' | 'object_detection';

/** A model that an account made. */
export interface Model {
  /** Counts with those of perceptions: v1 calls both `model_id`. */
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly task: ModelTask;
  /** What it was trained on last; null where it never was. */
  readonly datasetId: number | null;
  /** The number of the version that predicts; null before there is one. */
  readonly version: number | null;
  readonly createdAt: number;
}

/** One state of a model. Its files never change: another state is another version. */
export interface ModelVersion {
  readonly modelId: number;
  /** 1 and up, never given twice in a model. */
  readonly number: number;
  /** Names its folder. */
  readonly uid: string;
  readonly origin: 'training' | 'upload';
  /** Of its `model.onnx`. */
  readonly bytes: number;
  readonly labels: ModelManifest['labels'];
  /** Of the run that made it. */
  readonly jobId: string | null;
  readonly createdAt: number;
}

export interface NewVersion {
  readonly origin: ModelVersion['origin'];
  /**
   * A folder with `model.onnx` and `manifest.json`, and what else belongs to them, in the place that `Versions.draft`
   * gave for it. It is taken over.
   */
  readonly draft: string;
  /** As JSON; null where nothing was measured. */
  readonly report: unknown;
  readonly jobId: string | null;
  /** The dataset it was trained on. */
  readonly datasetId: number | null;
  /** Whether it predicts from now on. */
  readonly isActivated: boolean;
}

/** The versions of models. Those of another account's model are `not_found`, as those that there are not. */
export interface Versions {
  /** A folder that nobody has, for a version in the making; swept at the next start where it is left. */
  draft(): Promise<string>;
  /** When it resolves, files and row are on disk. One with the job's id that is there already is answered, not added again. */
  add(accountId: number, modelId: number, version: NewVersion): Promise<ModelVersion>;
  /** The newest first. */
  list(accountId: number, modelId: number): Promise<readonly ModelVersion[]>;
  read(accountId: number, modelId: number, number: number): Promise<ModelVersion>;
  /** As the training wrote it; null where nothing was measured. */
  report(accountId: number, modelId: number, number: number): Promise<unknown>;
  /** The folder of its files. */
  folder(version: ModelVersion): string;
  /** That version predicts from now on, in one step. */
  activate(accountId: number, modelId: number, number: number): Promise<Model>;
  /** With its files. Throws `conflict` for the one that predicts. */
  remove(accountId: number, modelId: number, number: number): Promise<void>;
}
