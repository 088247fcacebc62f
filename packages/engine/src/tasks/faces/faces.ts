import type { ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import { type Box, clipBox } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel, Task } from '../task.js';
import { alignFace } from './align.js';
import { isAlignedFace, takeAlignedFaces } from './aligned-face.js';
import type { Face, FacesResult, FivePoints } from './face.js';
import { findFaces } from './find.js';
import { type Frame, ovalBox } from './frame.js';
import { judgeQuality } from './quality.js';
import { joinSquares, squareBatch } from './square-batch.js';
import { finestScale, multipleOf, wholeSizes } from './views.js';
import { withReducedCopy } from './with-reduced-copy.js';

/** Faces in one run; more gain no time and cost memory. */
const batchSize = 16;

/** The examined region, in multiples of the face: the model judges a face with its surroundings. */
const surroundings = 2.7;

/** A model for each step; `modelsOfFaceChain` returns those of a chain. */
export interface FaceModels {
  readonly detector: ModelRef;
  readonly filter: ModelRef;
  /** Absent: the points of the filter are used. */
  readonly landmarks?: ModelRef;
  readonly embedder: ModelRef;
  readonly liveness: ModelRef;
}

export interface FacesOptions {
  readonly models: FaceModels;
  /** Minimum detector score of a returned face, 0 to 1; a chain's `minScore` is the measured choice. */
  readonly minScore: number;
  /** The smallest face to find, in pixels of the original; half the size takes four times as long. Default 16. */
  readonly minFacePx?: number;
  /**
   * The only parts of the image to search, in pixels of it, such as the upper parts of the people in a frame of a video: with
   * one to three people in 1280x720 pixels it takes a quarter of the time. A face is found that is whole in a region and
   * upright or tilted. The whole image unless given.
   */
  readonly regions?: readonly Box[];
  /**
   * Whether the image was cut to one face before. Where no face is found, as in a crop that ends at the eyebrows, the whole image
   * counts as one, with score 1. False unless given.
   */
  readonly isCropped?: boolean;
  /** Whether faces get embeddings. */
  readonly embed: boolean;
  /** Whether an embedding is the mean of those of the face and of its mirror image; false unless given. */
  readonly mirrors?: boolean;
  /** Whether faces get a liveness score, which is advisory. */
  readonly liveness: boolean;
}

const defaultMinFacePx = 16;

/** Faces with their points, quality, embeddings and liveness; the largest first. */
export const faces: Task<'faces', FacesOptions, FacesResult> = {
  name: 'faces',
  // Small faces are found and recognised in the original's own pixels only.
  detailPx: () => Number.MAX_SAFE_INTEGER,
  rasters: () => Number.MAX_SAFE_INTEGER,
  async run(
    { image: original, load, signal },
    {
      models,
      minScore,
      minFacePx = defaultMinFacePx,
      regions,
      isCropped = false,
      embed,
      mirrors = false,
      liveness,
    },
  ) {
    const detector = await load(models.detector);
    const sizes = regions ? [] : wholeSizes(original, multipleOf(detector), finestScale(minFacePx));
    let image = original;
    for (const size of sizes) image = await withReducedCopy(image, size);
    const filter = await load(models.filter);
    const landmarks = models.landmarks && (await load(models.landmarks));
    const found = await findFaces({ detector, filter, landmarks }, image, {
      minScore,
      minFacePx,
      regions,
      isCropped,
    });
    const embeddedBy = embed ? { id: models.embedder.id, version: models.embedder.version } : null;
    if (found.length === 0) return { faces: [], embedder: embeddedBy };

    const frames = found.map(({ frame }) => frame);
    const points = found.map((face) => face.points);
    const aligned = await takeAlignedFaces(image, points);
    const embedder = embed && (await load(models.embedder));
    const embeddings = embedder ? await embedFaces({ embedder, mirrors }, image, points, aligned) : [];
    const lives = liveness ? await judgeLiveness(await load(models.liveness), image, frames) : [];
    signal.throwIfAborted();
    const all = found.map(({ frame, score, points: five, ...signs }, index): Face => {
      const [{ embedding, mirrorCosine } = {}, live] = [embeddings[index], lives[index]];
      return {
        box: clipBox(ovalBox(frame), image.width, image.height),
        score,
        points: five,
        quality: judgeQuality(
          { ...signs, frame, points: five, mirrorCosine },
          aligned[index] ?? new Uint8Array(),
        ),
        ...(embedding === undefined ? {} : { embedding }),
        ...(live === undefined ? {} : { liveness: live }),
      };
    });
    return { faces: all.sort((a, b) => b.quality.sizePx - a.quality.sizePx), embedder: embeddedBy };
  },
};

/**
 * Probability, 0 to 1, that each face is a living person in front of the camera instead of a photograph. Advisory: nearly all
 * living people pass, but so does every other photograph of a screen or a print. Never sufficient for access control.
 */
async function judgeLiveness(model: LoadedModel, image: Image, frames: readonly Frame[]): Promise<number[]> {
  if (frames.length === 0) return [];
  const parts = frames.map((frame) => surroundingsOf(frame, image));
  const live = floatsOf(model, await model.run({ image: await squareBatch(model, image, parts) }), 'live');
  return frames.map((_, index) => live[index] ?? 0);
}

/** The model's training crops: as much around the face as the image has, moved inside it, of the face's proportions. */
function surroundingsOf(frame: Frame, image: Image): Frame {
  const { centre, width, height } = frame;
  const times = Math.min(surroundings, image.width / width, image.height / height);
  const inside = (at: number, length: number, limit: number) =>
    Math.min(Math.max(at, length / 2), limit - length / 2);
  return {
    ...frame,
    centre: {
      x: inside(centre.x, times * width, image.width),
      y: inside(centre.y, times * height, image.height),
    },
    width: times * width,
    height: times * height,
  };
}

interface Embedder {
  readonly embedder: LoadedModel;
  readonly mirrors: boolean;
}

interface EmbeddedFace {
  /** Of length 1. */
  readonly embedding: Float32Array;
  /** Between the face and its mirror image, where both are embedded. */
  readonly mirrorCosine?: number;
}

/**
 * One for each face, in order.
 * @param aligned pixels of each face as `takeAlignedFaces` gives them
 */
async function embedFaces(
  { embedder, mirrors }: Embedder,
  image: Image,
  faces: readonly FivePoints[],
  aligned: readonly Uint8Array[],
): Promise<EmbeddedFace[]> {
  const { ref, manifest } = embedder;
  const { input } = manifest;
  if (input.fit !== 'aligned') {
    throw new EngineError(
      'model-missing',
      `model ${ref.id} does not look at aligned faces; choose one of the family face-embedder`,
    );
  }
  const embeddings: EmbeddedFace[] = [];
  for (let start = 0; start < faces.length; start += batchSize) {
    const frames = faces.slice(start, start + batchSize).map((points) => alignFace(points, input));
    const tensor =
      isAlignedFace(input) && !mirrors
        ? joinSquares(aligned.slice(start, start + batchSize), input.side)
        : await squareBatch(embedder, image, mirrors ? frames.flatMap(withMirrorImage) : frames);
    const outputs = await embedder.run({ image: tensor });
    const all = floatsOf(embedder, outputs, 'embedding');
    const length = all.length / frames.length;
    for (const index of frames.keys()) {
      const own = all.slice(index * length, (index + 1) * length);
      embeddings.push(mirrors ? meanOfBoth(own) : { embedding: own });
    }
  }
  return embeddings;
}

function withMirrorImage(frame: Frame): Frame[] {
  return [frame, { ...frame, isMirrored: true }];
}

/** The mean of two vectors of length 1 one after the other, brought to length 1. */
function meanOfBoth(both: Float32Array): EmbeddedFace {
  const half = both.length / 2;
  const sum = both.slice(0, half).map((value, index) => value + (both[half + index] ?? 0));
  const length = Math.hypot(...sum) || 1;
  // The sum of two vectors of length 1 is the longer the more alike they are.
  return { embedding: sum.map((value) => value / length), mirrorCosine: length ** 2 / 2 - 1 };
}
