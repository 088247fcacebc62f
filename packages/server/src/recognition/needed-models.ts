import { faceChains } from '@lynceus/engine';
import type { Settings } from '../core/settings.js';
import { builtinModels, textModels } from './builtin.js';
import { defaultParts } from './parts.js';

/** The catalogue models that a service of these settings works with. */
export function neededModelIds(settings: Pick<Settings, 'recognitionParts' | 'faceChain'>): string[] {
  const parts = defaultParts(settings);
  return [
    ...new Set([
      ...builtinModels.flatMap((model) => model.parts),
      ...(parts.has('texts') ? Object.values(textModels) : []),
      ...(parts.has('faces') ? Object.values(faceChains[settings.faceChain].models) : []),
    ]),
  ];
}
