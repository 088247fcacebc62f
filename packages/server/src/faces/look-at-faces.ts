import {
  EngineError,
  encodedKind,
  type Face,
  type FaceChainName,
  faceChains,
  type ImageKind,
  type ImageSource,
  type ModelRef,
  type ModelRunner,
  modelsOfFaceChain,
  type Priority,
} from '@lynceus/engine';
import { toServiceError } from '../core/engine-errors.js';
import { findChain, type InstalledModel, mirrorsFaces } from './embedder-figures.js';

/** A face that can be compared. */
export type EmbeddedFace = Face & { readonly embedding: Float32Array };

export interface FacesSeen {
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  /** The largest first. */
  readonly faces: readonly EmbeddedFace[];
  readonly models: readonly { readonly id: string; readonly version: string }[];
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** Finds and describes the faces of an image. Throws `unsupported_image`, `file_too_large`, `service_busy` and others. */
export type LookAtFaces = (
  source: ImageSource,
  options: {
    /** The perception's, with its version. */
    readonly embedder: string;
    readonly liveness: boolean;
    /** Whether the image was cut to one face before: the whole image is one where none is found. */
    readonly isCropped?: boolean;
    readonly signal: AbortSignal;
    /** For which account; accounts take turns. */
    readonly accountId: number;
    /** Interactive unless given. */
    readonly priority?: Priority;
  },
) => Promise<FacesSeen>;

export interface LookDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly installedModel: InstalledModel;
  readonly maxPixels: number;
}

export function createLookAtFaces({ runner, installedModel, maxPixels }: LookDeps): LookAtFaces {
  const refOf = (id: string): ModelRef => {
    const ref = installedModel(id);
    if (ref === undefined) throw new EngineError('model-missing', `model ${id} is not installed`);
    return ref;
  };
  return async (
    source,
    { embedder, liveness, isCropped = false, signal, accountId, priority = 'interactive' },
  ) => {
    try {
      const faceChain = chainOf(embedder, installedModel);
      const options = {
        models: modelsOfFaceChain(faceChain, refOf),
        minScore: faceChains[faceChain].minScore,
        embed: true,
        mirrors: mirrorsFaces(embedder),
        liveness,
        ...(isCropped && { isCropped }),
      };
      const { image, results, models, timingsMs } = await runner.analyse(
        { source, limits: { maxPixels }, tasks: [{ task: 'faces', options }] },
        { priority, owner: String(accountId), signal },
      );
      return {
        ...image,
        kind: encodedKind(image),
        faces: (results.faces?.faces ?? []).filter(hasEmbedding),
        models,
        timingsMs,
      };
    } catch (error) {
      throw toServiceError(error);
    }
  };
}

/** Models of a chain that are not installed. */
export function missingModels(chain: FaceChainName, installedModel: InstalledModel): readonly string[] {
  return Object.values(faceChains[chain].models).filter((id) => installedModel(id) === undefined);
}

/** Whether images can be described as the perceptions of this embedder are. */
export function isInstalled(embedder: string, installedModel: InstalledModel): boolean {
  return findChain(embedder, installedModel) !== undefined;
}

function chainOf(embedder: string, installedModel: InstalledModel): FaceChainName {
  const chain = findChain(embedder, installedModel);
  if (chain !== undefined) return chain;
  throw new EngineError('model-missing', `the embedder ${embedder} of this perception is not installed`);
}

function hasEmbedding(face: Face): face is EmbeddedFace {
  return face.embedding !== undefined;
}
