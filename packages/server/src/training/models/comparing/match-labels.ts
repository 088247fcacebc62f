import type { Label } from '@lynceus/engine';

export type LabelMatch = ReturnType<typeof matchLabels>;

/** By id, as models that were trained on the dataset have them; else by title, large or small. */
export function matchLabels(ofModel: readonly Label[], ofDataset: readonly Label[]) {
  const byId = new Map(ofDataset.map(({ id }, index) => [id, index]));
  const byTitle = new Map(ofDataset.map(({ title }, index) => [title.toLowerCase(), index]));
  const classOf = ({ id, title }: Label) => byId.get(id) ?? byTitle.get(title.toLowerCase()) ?? -1;
  const matched = new Set(ofModel.map(classOf));
  return {
    /** The dataset's class that a model's label is; -1 for one that it does not have. */
    classOf /** Titles of the dataset's classes that the model does not tell. */,
    missing: ofDataset.filter((_, index) => !matched.has(index)).map(({ title }) => title),
  };
}
