import { defaultFaceChain, type FaceChainName, faceChains } from '@lynceus/engine';
import type { FalseMatchFigures } from './matching.js';
import type { Calibration } from './perception.js';

export interface EmbedderFigures {
  /** Numbers of a vector. */
  readonly dimensions: number;
  readonly calibration: Calibration;
  readonly falseMatch: FalseMatchFigures;
}

export const chainNames: readonly FaceChainName[] = ['accurate', 'permissive'];

/**
 * What cosines mean between vectors of an embedder, `ID@VERSION`. By the perception's embedder and not by the service's
 * chain: under the other's curve every stranger would match a person.
 */
export function figuresOf(embedder: string): EmbedderFigures {
  const chain = chainNamed(embedder) ?? defaultFaceChain;
  const { dimensions, decisionCosine, cosineSlope, falseMatch } = faceChains[chain];
  return {
    dimensions,
    calibration: { midpoint: decisionCosine, slope: cosineSlope },
    falseMatch: { cosine: decisionCosine, ...falseMatch },
  };
}

/** The chain to which an embedder belongs, whichever its version; null for one of no chain that there is. */
export function chainNamed(embedder: string): FaceChainName | null {
  const [id] = embedder.split('@');
  return chainNames.find((name) => faceChains[name].models.embedder === id) ?? null;
}
