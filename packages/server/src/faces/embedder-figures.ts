import {
  type ChainFigures,
  defaultFaceChain,
  type FaceChainName,
  faceChains,
  type ModelRef,
} from '@lynceus/engine';
import type { FalseMatchFigures } from './matching.js';
import type { Calibration } from './perception.js';

export interface EmbedderFigures {
  /** Numbers of a vector. */
  readonly dimensions: number;
  readonly calibration: Calibration;
  readonly falseMatch: FalseMatchFigures;
}

export const chainNames: readonly FaceChainName[] = ['accurate', 'permissive'];

/** Finds an installed model by its id. */
export type InstalledModel = (id: string) => ModelRef | undefined;

/**
 * The embedder of a chain as perceptions name it: `ID@VERSION.REVISION`, since vectors of two models are never compared, and those
 * of two revisions have different figures. Those of the first revision are `ID@VERSION`.
 */
export function embedderOf(chain: FaceChainName, installedModel: InstalledModel): string {
  return `${firstEmbedderOf(chain, installedModel)}.${faceChains[chain].revision}`;
}

function firstEmbedderOf(chain: FaceChainName, installedModel: InstalledModel): string {
  const { embedder } = faceChains[chain].models;
  return `${embedder}@${installedModel(embedder)?.version ?? 'missing'}`;
}

/** The chain that embeds images as perceptions of this embedder have them; undefined where its model is not installed. */
export function findChain(embedder: string, installedModel: InstalledModel): FaceChainName | undefined {
  return chainNames.find(
    (chain) =>
      installedModel(faceChains[chain].models.embedder) !== undefined &&
      [embedderOf(chain, installedModel), firstEmbedderOf(chain, installedModel)].includes(embedder),
  );
}

/** Whether an embedder is the same model as another, and was made by an earlier program. */
export function isFormerOf(former: string, embedder: string): boolean {
  const [model, revision] = splitRevision(former);
  const [sameModel, newer] = splitRevision(embedder);
  return model === sameModel && revision < newer;
}

/** Embedders whose vectors can be compared with those of this one: itself, and earlier revisions of it. */
export function comparableWith(embedder: string): string[] {
  const [model, revision] = splitRevision(embedder);
  const earlier = Array.from({ length: revision - 1 }, (_, at) => (at === 0 ? model : `${model}.${at + 1}`));
  return [embedder, ...earlier];
}

/**
 * What cosines mean between vectors of an embedder. By the perception's embedder and not by the service's chain: under the other's
 * curve every stranger would match a person.
 */
export function figuresOf(embedder: string): EmbedderFigures {
  const chain = faceChains[chainNamed(embedder) ?? defaultFaceChain];
  const [, revision] = splitRevision(embedder);
  const { decisionCosine, cosineSlope, falseMatch }: ChainFigures =
    revision === chain.revision ? chain : chain.former;
  return {
    dimensions: chain.dimensions,
    calibration: { midpoint: decisionCosine, slope: cosineSlope },
    falseMatch: { cosine: decisionCosine, ...falseMatch },
  };
}

/** The chain to which an embedder belongs, whichever its version; null for one of no chain that there is. */
export function chainNamed(embedder: string): FaceChainName | null {
  const [id] = embedder.split('@');
  return chainNames.find((name) => faceChains[name].models.embedder === id) ?? null;
}

/** Whether the vectors of an embedder are means of a face and its mirror image. */
export function mirrorsFaces(embedder: string): boolean {
  const chain = faceChains[chainNamed(embedder) ?? defaultFaceChain];
  return chain.mirrors && splitRevision(embedder)[1] === chain.revision;
}

/** `ID@VERSION` and the revision. Versions are hexadecimal and have no dot. */
function splitRevision(embedder: string): readonly [model: string, revision: number] {
  const [, model = embedder, revision = '1'] = /^(.*@[^.]*)\.(\d+)$/.exec(embedder) ?? [];
  return [model, Number(revision)];
}
