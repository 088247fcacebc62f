import type { Box, Label, ModelRunner } from '@lynceus/engine';
import { toServiceError } from '../../core/engine-errors.js';
import { ServiceError } from '../../core/service-error.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import { createTaskCalls, defaultThresholds, type ModelChoice } from '../../recognition/task-calls.js';
import type { BuiltinModels } from '../../service/builtin/builtin-models.js';
import { type BlobStore, withFile } from '../../storage/blobs/blob-store.js';
import { checkBox } from './check-box.js';
import type { Classes } from './classes.js';
import { type Dataset, type DatasetImage, maxLabels } from './dataset.js';

/** What a model takes an image to show. */
export interface Suggestion {
  /** As the model calls it. */
  readonly title: string;
  /** The class of the dataset with this name, in large or small letters; null when it has none. */
  readonly classId: number | null;
  /** In pixels of the image as it is meant to be seen, and within it; null in classification. */
  readonly box: Box | null;
  /** Of the model, 0 to 1. */
  readonly score: number;
}

export interface Suggestions {
  readonly modelUid: string;
  /** The surest first. */
  readonly found: readonly Suggestion[];
}

/**
 * Looks at an image of a dataset by a model of the account, or by the built-in one of the dataset's task. Keeps nothing and
 * counts no call. Throws `invalid_model`, `wrong_parameters` for a model of another task, `not_found` and `service_busy`.
 */
export type SuggestLabels = (
  accountId: number,
  dataset: Dataset,
  image: DatasetImage,
  modelReference: string | number | undefined,
  signal: AbortSignal,
) => Promise<Suggestions>;

interface SuggestLabelsDeps extends ModelChoice {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly classes: Pick<Classes, 'list'>;
  readonly blobs: Pick<BlobStore, 'hold'>;
  readonly chooseModel: ChooseModel;
  readonly builtinModels: Pick<BuiltinModels, 'defaults'>;
  readonly maxPixels: number;
}

interface Seen {
  readonly label: Label;
  readonly score: number;
  readonly box?: Box;
}

export function createSuggestLabels(deps: SuggestLabelsDeps): SuggestLabels {
  const { runner, classes, blobs, chooseModel, maxPixels } = deps;
  const { classifier, detector } = deps.builtinModels.defaults.general;
  const calls = createTaskCalls(deps);
  return async (accountId, { id: datasetId, task }, image, modelReference, signal) => {
    const builtin = task === 'classification' ? classifier : detector;
    const model = await chooseModel(accountId, modelReference ?? builtin.uid, task);
    const call = task === 'classification' ? calls.classify(model) : calls.detect(model, defaultThresholds);
    const analysis = await withFile(blobs, image.blobId, (path) =>
      runner
        .analyse(
          { source: { kind: 'file', path }, limits: { maxPixels }, tasks: [call] },
          { priority: 'interactive', owner: String(accountId), signal },
        )
        .catch((error: unknown) => {
          throw toServiceError(error);
        }),
    );
    if (analysis === null) throw new ServiceError('not_found', `image ${image.id} was deleted meanwhile`);
    const { results } = analysis;
    const named = new Map(
      (await classes.list(accountId, datasetId)).map(({ id, name }) => [fold(name), id] as const),
    );
    const seen: readonly Seen[] = results.detect?.detections ?? results.classify?.classes ?? [];
    const found = seen.flatMap(({ label: { title }, score, box = null }): Suggestion[] => {
      const classId = named.get(fold(title)) ?? null;
      if (box === null) return [{ title, classId, box, score }];
      const checked = checkBox(box, image);
      return 'box' in checked ? [{ title, classId, box: checked.box, score }] : [];
    });
    return { modelUid: model.uid, found: found.slice(0, maxLabels) };
  };
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
