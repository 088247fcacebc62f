import type { ModelRef } from '../../catalog/manifest.js';
import { clipBox } from '../../image/box.js';
import type { Task } from '../task.js';
import { takeAlignedFaces } from './aligned-face.js';
import { embedFaces } from './embed.js';
import type { Face, FacesResult } from './face.js';
import { findFaces } from './find.js';
import { ovalBox } from './frame.js';
import { locatePoints } from './landmarks.js';
import { judgeLiveness } from './liveness.js';
import { judgeQuality } from './quality.js';
import { finestScale, multipleOf, wholeView } from './views.js';
import { withReducedCopy } from './with-reduced-copy.js';

/** A model for each step; `modelsOfFaceChain` gives those of a chain. */
export interface FaceModels {
  readonly detector: ModelRef;
  readonly filter: ModelRef;
  /** Absent: the points that the filter sees serve. */
  readonly landmarks?: ModelRef;
  readonly embedder: ModelRef;
  readonly liveness: ModelRef;
}

export interface FacesOptions {
  readonly models: FaceModels;
  /** The detector's score, 0 to 1, from which a face is answered; a chain's `minScore` is the measured choice. */
  readonly minScore: number;
  /** The smallest face looked for, in pixels of the original; half of it costs four times as much. Default 16. */
  readonly minFacePx?: number;
  /** Whether faces get embeddings. */
  readonly embed: boolean;
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
    { models, minScore, minFacePx = defaultMinFacePx, embed, liveness },
  ) {
    const detector = await load(models.detector);
    const image = await withReducedCopy(
      original,
      wholeView(original, multipleOf(detector), finestScale(minFacePx)),
    );
    const filter = await load(models.filter);
    const found = await findFaces({ detector, filter }, image, { minScore, minFacePx });
    const embedder = embed ? { id: models.embedder.id, version: models.embedder.version } : null;
    if (found.length === 0) return { faces: [], embedder };

    const frames = found.map(({ frame }) => frame);
    const points = models.landmarks
      ? await locatePoints(await load(models.landmarks), image, frames)
      : found.map((candidate) => candidate.points);
    const aligned = await takeAlignedFaces(image, points);
    const embeddings = embed ? await embedFaces(await load(models.embedder), image, points, aligned) : [];
    const lives = liveness ? await judgeLiveness(await load(models.liveness), image, frames) : [];
    signal.throwIfAborted();
    const all = found.map(({ frame, score, points: seen }, index): Face => {
      const [five = seen, embedding, live] = [points[index], embeddings[index], lives[index]];
      return {
        box: clipBox(ovalBox(frame), image.width, image.height),
        score,
        points: five,
        quality: judgeQuality(frame, five, aligned[index] ?? new Uint8Array()),
        ...(embedding === undefined ? {} : { embedding }),
        ...(live === undefined ? {} : { liveness: live }),
      };
    });
    return { faces: all.sort((a, b) => b.quality.sizePx - a.quality.sizePx), embedder };
  },
};
