import {
  type ChainFigures,
  defaultFaceChain,
  type FaceChainName,
  faceChains,
  type ModelRef,
} from '@lynceus/engine';
import type { FalseMatchFigures } from './matching.js';
import type { Calibration } from './perception.js';

interface EmbedderFigures {
  /** Numbers of a vector. */
  readonly dimensions: number;
  readonly calibration: Calibration;
  readonly falseMatch: FalseMatchFigures;
  /** Of faces of which one is degraded. */
  readonly degradedFalseMatch: FalseMatchFigures;
  /** See `ChainFigures` of the engine. */
  readonly doubtfulCosine: number;
}

export const chainNames: readonly FaceChainName[] = ['accurate', 'permissive'];

/** Finds an installed model by its id. */
export type InstalledModel = (id: string) => ModelRef | undefined;

/**
 * The embedder of a chain as perceptions name it: `ID@VERSION.REVISION`, since vectors of two models are never compared, and those
 * of two revisions have different figures. Those of the first revision are `ID@VERSION`. Versions of a model are the same network,
 * whose file was converted by another program or has other labels: their vectors are compared until the images are embedded again.
 */
export function embedderOf(chain: FaceChainName, installedModel: InstalledModel): string {
  const { models, revision } = faceChains[chain];
  return `${models.embedder}@${installedModel(models.embedder)?.version ?? 'missing'}.${revision}`;
}

/**
 * The chain that embeds images as perceptions of this embedder have them, in whichever version of its model is installed; undefined
 * where none is, or where a newer program made it.
 */
export function findChain(embedder: string, installedModel: InstalledModel): FaceChainName | undefined {
  const chain = chainNamed(embedder);
  if (chain === null || installedModel(faceChains[chain].models.embedder) === undefined) return undefined;
  return splitRevision(embedder)[1] <= faceChains[chain].revision ? chain : undefined;
}

/** Whether an embedder is the same model as another, in another version or a lower revision: what another program made. */
export function isFormerOf(former: string, embedder: string): boolean {
  const [, revision] = splitRevision(former);
  const [, present] = splitRevision(embedder);
  return former !== embedder && idOf(former) === idOf(embedder) && revision <= present;
}

/** For `like` of SQL: embedders whose vectors can be compared with those of this one, its model in any version and revision. */
export function comparableWith(embedder: string): string {
  return `${idOf(embedder)}@%`;
}

/**
 * What cosines mean between vectors of an embedder. By the perception's embedder and not by the service's chain: under the other's
 * curve every stranger would match a person.
 */
export function figuresOf(embedder: string): EmbedderFigures {
  const chain = faceChains[chainNamed(embedder) ?? defaultFaceChain];
  const [, revision] = splitRevision(embedder);
  const { decisionCosine, cosineSlope, falseMatch, degradedFalseMatch, doubtfulCosine }: ChainFigures =
    revision === chain.revision ? chain : chain.former;
  return {
    dimensions: chain.dimensions,
    calibration: { midpoint: decisionCosine, slope: cosineSlope },
    falseMatch: { cosine: decisionCosine, ...falseMatch },
    degradedFalseMatch: { cosine: decisionCosine, ...degradedFalseMatch },
    doubtfulCosine,
  };
}

/** The chain to which an embedder belongs, whichever its version; null for one of no chain that there is. */
export function chainNamed(embedder: string): FaceChainName | null {
  return chainNames.find((name) => faceChains[name].models.embedder === idOf(embedder)) ?? null;
}

/** Whether the vectors of an embedder are means of a face and its mirror image. */
export function mirrorsFaces(embedder: string): boolean {
  const chain = faceChains[chainNamed(embedder) ?? defaultFaceChain];
  return chain.mirrors && splitRevision(embedder)[1] === chain.revision;
}

/** Of the model. */
function idOf(embedder: string): string {
  return embedder.split('@')[0] ?? embedder;
}

/** `ID@VERSION` and the revision. Versions are hexadecimal and have no dot. */
function splitRevision(embedder: string): readonly [model: string, revision: number] {
  const [, model = embedder, revision = '1'] = /^(.*@[^.]*)\.(\d+)$/.exec(embedder) ?? [];
  return [model, Number(revision)];
}
