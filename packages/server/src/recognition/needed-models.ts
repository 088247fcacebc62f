import { faceChains } from '@lynceus/engine';
import type { Settings } from '../core/settings.js';
import type { BuiltinModels } from '../service/builtin/builtin-models.js';
import { shippedModels, textModels } from '../service/builtin/shipped-models.js';
import { defaultParts } from './parts.js';

/** The catalogue models that a service of these settings works with: the shipped ones, and added ones that are selected. */
export function neededModelIds(
  settings: Pick<Settings, 'recognitionParts' | 'faceChain'>,
  { defaults: { general, drops, v2 } }: Pick<BuiltinModels, 'defaults'>,
): string[] {
  const parts = defaultParts(settings);
  return [
    ...new Set([
      ...[...shippedModels, ...Object.values(general), ...Object.values(drops), v2].flatMap(
        (model) => model.parts,
      ),
      ...(parts.has('texts') ? Object.values(textModels) : []),
      ...(parts.has('faces') ? Object.values(faceChains[settings.faceChain].models) : []),
    ]),
  ];
}
