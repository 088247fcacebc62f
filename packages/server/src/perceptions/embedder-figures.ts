import { defaultFaceChain, type FaceChainName, faceChains } from '@lynceus/engine';
import type { FalseMatchFigures } from './matching.js';
import type { Calibration } from './perception.js';

export interface EmbedderFigures {
  readonly calibration: Calibration;
  readonly falseMatch: FalseMatchFigures;
}

const chainNames: readonly FaceChainName[] = ['accurate', 'permissive'];

/**
 * What cosines mean between vectors of an embedder, `ID@VERSION`. By the perception's embedder and not by the service's
 * chain: under the other's curve every stranger would be somebody.
 */
export function figuresOf(embedder: string): EmbedderFigures {
  const [id] = embedder.split('@');
  const chain = chainNames.find((name) => faceChains[name].models.embedder === id) ?? defaultFaceChain;
  const { decisionCosine, cosineSlope, falseMatch } = faceChains[chain];
  return {
    calibration: { midpoint: decisionCosine, slope: cosineSlope },
    falseMatch: { cosine: decisionCosine, ...falseMatch },
  };
}
