import type { ModelManifest, ModelRef } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { HeldFile } from '../../storage/blobs/blob-store.js';
import type { Page, PageRequest } from '../../storage/page.js';

/** What a model tells of an image; the words of the wire. */
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

/** A version without what it tells apart, which can be thousands of labels. */
export interface VersionHead {
  readonly modelId: number;
  /** 1 and up, never given twice in a model. */
  readonly number: number;
  /** Names its folder. */
  readonly uid: string;
  readonly origin: 'training' | 'upload';
  /** Of its `model.onnx`. */
  readonly bytes: number;
  /** Of the run that made it. */
  readonly jobId: string | null;
  readonly createdAt: number;
  /** Whether of two labels on one box the lesser is weakened until it is no answer; false for a classifier. */
  readonly oneLabel: boolean;
}

/** One state of a model. Its files never change: another state is another version. A new one has the settings of the newest. */
export interface ModelVersion extends VersionHead {
  readonly labels: ModelManifest['labels'];
}

/** What can be changed of a version. */
type VersionSettings = Pick<VersionHead, 'oneLabel'>;

export interface NewVersion {
  readonly origin: VersionHead['origin'];
  /**
   * A folder with `model.onnx` and `manifest.json`, and what else belongs to them, in the place that `Versions.draft`
   * gave for it. It is taken over, whatever comes of it.
   */
  readonly draft: string;
  /** As JSON; null where nothing was measured. */
  readonly report: unknown;
  readonly jobId: string | null;
  /** The dataset it was trained on. */
  readonly datasetId: number | null;
  /** Whether it predicts from now on. */
  readonly isActivated: boolean;
  /** At the end of the unit that makes it, which it undoes where the lease of the work is lost. */
  readonly fence: readonly Compilable[];
}

/** The versions of models. Those of another account's model are `not_found`, as those that there are not. */
export interface Versions {
  /**
   * The path of a folder that nobody has made yet, for a version in the making; what is left there is swept at the next
   * start. Its last part becomes the version's UID.
   */
  draft(accountId: number): Promise<string>;
  /**
   * When it resolves, files and row are on disk. One with the job's id that is there already is answered, not added again.
   * Throws `wrong_parameters` for a model of another task.
   */
  add(accountId: number, modelId: number, version: NewVersion): Promise<ModelVersion>;
  /** The newest first; a position is a number. */
  list(accountId: number, modelId: number, page: PageRequest<number>): Promise<Page<VersionHead, number>>;
  read(accountId: number, modelId: number, number: number): Promise<ModelVersion>;
  /** As the training wrote it; null where nothing was measured. */
  report(accountId: number, modelId: number, number: number): Promise<unknown>;
  /** The folder of its files on this machine, until it is released. */
  hold(version: Pick<VersionHead, 'uid'>): Promise<HeldFile>;
  /** As inference processes take it; the runner holds its folder while they do. */
  ref(model: Pick<Model, 'uid'>, version: Pick<VersionHead, 'uid'>): ModelRef;
  /** That version predicts from now on, in one step. */
  activate(accountId: number, modelId: number, number: number): Promise<Model>;
  /** From the next call on. Throws `wrong_parameters` for a version of a classifier. */
  change(
    accountId: number,
    modelId: number,
    number: number,
    settings: VersionSettings,
  ): Promise<ModelVersion>;
  /** With its files. Throws `conflict` for the one that predicts. */
  remove(accountId: number, modelId: number, number: number): Promise<void>;
}
