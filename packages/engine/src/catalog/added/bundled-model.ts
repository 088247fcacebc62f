import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { CatalogError } from '../catalog-error.js';
import { type CatalogModel, describeEntry } from '../describe-entry.js';
import { CatalogEntry } from '../entry.js';
import type { Layout } from '../layout.js';
import { LabelTable, schemaProblem } from '../read-model.js';
import { textProblem } from './check-texts.js';
import { readAddedLabels } from './publish-added.js';

/** Of a description as JSON: a licence of 200,000 characters, each written as six, fits. */
const maxEntryLength = 2_000_000;

/** An added model in a bundle: the other machine has no entry of it. */
export const BundledModel = Type.Object({ entry: Type.Unknown(), labels: Type.Unknown() });

/** What a bundle holds of a model beside its files; nothing of a shipped one, whose entry every machine has. */
export async function describeForBundle(
  { entry }: CatalogModel,
  layout: Layout,
): Promise<{ added: { entry: CatalogEntry; labels: unknown } } | Record<string, never>> {
  if (entry.recipe.importer !== 'upload') return {};
  return { added: { entry, labels: await readAddedLabels(layout, entry.id) } };
}

/** The model of a bundle's entry. Throws a `CatalogError` for an entry that `models add` does not write. */
export function readBundled(id: string, bundled: unknown, layout: Layout): CatalogModel {
  if (!Value.Check(BundledModel, bundled)) throw refuse(id, 'it is not described');
  const { entry, labels } = bundled;
  if (!Value.Check(CatalogEntry, entry)) throw refuse(id, schemaProblem(CatalogEntry, entry));
  const wrongText = textProblem(entry);
  if (wrongText !== undefined) throw refuse(id, wrongText);
  if (!Value.Check(LabelTable, labels)) throw refuse(id, 'its labels are damaged');
  const isAdded = entry.recipe.importer === 'upload' && entry.source.kind !== 'npm';
  if (entry.id !== id || !isAdded || entry.source.files.length !== 1) {
    throw refuse(id, 'it is no model that was added');
  }
  const own = labels.every((label, index) => label.id === `${id}:${index}`);
  if (entry.default || entry.labels !== `${id}.json` || !own) throw refuse(id, 'its entry was changed');
  if (JSON.stringify(entry).length > maxEntryLength) throw refuse(id, 'its description is too long');
  const { calibration, temperature = 1 } = entry;
  if (calibration && !isRising(calibration.points)) throw refuse(id, 'its calibration is damaged');
  if (temperature < 0.05 || temperature > 20) throw refuse(id, 'its temperature is damaged');
  return describeEntry(entry, labels, 'own', layout.entries);
}

/** From 0 to 1 in both directions, as `Calibration` says. */
function isRising(points: readonly (readonly [number, number])[]): boolean {
  const isNext = ([own, shown]: readonly [number, number], at: number) => {
    const [beforeOwn, beforeShown] = points[at - 1] ?? [-1, -1];
    return own > beforeOwn && shown >= beforeShown;
  };
  const [first, last] = [points[0], points.at(-1)];
  return points.every(isNext) && first?.join() === '0,0' && last?.join() === '1,1';
}

function refuse(id: string, reason: string): CatalogError {
  return new CatalogError(`The bundle's model ${JSON.stringify(id.slice(0, 100))} cannot be used: ${reason}`);
}
