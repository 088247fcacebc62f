import type { CatalogModel } from '@lynceus/engine';
import type { Settings } from '../../core/settings.js';
import { type BuiltinModel, type ModelType, shippedModels, shippedSelection } from './shipped-models.js';

/** What detects and what classifies in general recognition. */
export interface GeneralModels {
  readonly detector: BuiltinModel;
  readonly classifier: BuiltinModel;
}

/** The models that every account may use: the shipped ones, and those that the operator added. */
export type BuiltinModels = ReturnType<typeof createBuiltinModels>;

export type ModelSelection = Pick<
  Settings,
  'defaultDetector' | 'defaultClassifier' | 'dropDetector' | 'dropClassifier' | 'v2Model'
>;

/** Throws where a setting selects no model of these, or one of another type. */
export function createBuiltinModels(
  catalog: readonly Pick<CatalogModel, 'entry'>[] = [],
  selection: ModelSelection = shippedSelection,
) {
  const all = [...shippedModels, ...catalog.flatMap(({ entry }) => toBuiltin(entry) ?? [])];
  const find = (reference: string) =>
    all.find(({ uid, id }) => uid === reference || String(id) === reference);
  const select = (setting: keyof ModelSelection, reference: string, type?: ModelType): BuiltinModel => {
    const found = find(reference);
    if (found !== undefined && (type === undefined || found.type === type)) return found;
    const fitting = all.filter((model) => type === undefined || model.type === type).map(({ uid }) => uid);
    throw new Error(
      `The setting ${setting} selects ${reference}, which is not one of ${fitting.join(', ')}. ` +
        'models add brings a model of your own; it is there from the next start.',
    );
  };
  const { defaultDetector, defaultClassifier, dropDetector, dropClassifier, v2Model } = selection;
  const general = {
    detector: select('defaultDetector', defaultDetector, 'object_detection'),
    classifier: select('defaultClassifier', defaultClassifier, 'classification'),
  };
  return {
    all,
    /** By UID or by number. */
    find,
    /** What the operator selected for callers who name no model. */
    defaults: {
      general,
      drops: {
        detector: dropDetector ? select('dropDetector', dropDetector, 'object_detection') : general.detector,
        classifier: dropClassifier
          ? select('dropClassifier', dropClassifier, 'classification')
          : general.classifier,
      },
      v2: select('v2Model', v2Model),
    },
  };
}

/** The settings that select a model, by its UID or number; it cannot be removed while they do. */
export function settingsThatSelect(
  { uid, id }: Pick<BuiltinModel, 'uid' | 'id'>,
  selection: ModelSelection,
): readonly (keyof ModelSelection)[] {
  const { defaultDetector, defaultClassifier, dropDetector, dropClassifier, v2Model } = selection;
  const selected = { defaultDetector, defaultClassifier, dropDetector, dropClassifier, v2Model };
  const names = Object.keys(selected) as (keyof ModelSelection)[];
  return names.filter((name) => selected[name] === uid || selected[name] === String(id));
}

/** An added detector or classifier, under its number. */
function toBuiltin({ id: uid, modelId, title, family }: CatalogModel['entry']): BuiltinModel | undefined {
  if (modelId === undefined || (family !== 'detector' && family !== 'classifier')) return undefined;
  return {
    uid,
    id: modelId,
    title,
    type: family === 'detector' ? 'object_detection' : 'classification',
    parts: [uid],
  };
}
