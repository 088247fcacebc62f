import { EngineError } from '../../errors.js';
import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { alignFace } from './align.js';
import { isAlignedFace } from './aligned-face.js';
import type { FivePoints } from './face.js';
import { joinSquares, squareBatch } from './square-batch.js';

/** Faces in one run; more gain no time and cost memory. */
const batchSize = 16;

/**
 * One vector of length 1 a face, in order.
 * @param aligned pixels of each face as `takeAlignedFaces` gives them
 */
export async function embedFaces(
  embedder: LoadedModel,
  image: Image,
  faces: readonly FivePoints[],
  aligned: readonly Uint8Array[],
): Promise<Float32Array[]> {
  const { ref, manifest } = embedder;
  const { input } = manifest;
  if (input.fit !== 'aligned') {
    throw new EngineError(
      'model-missing',
      `model ${ref.id} does not look at aligned faces; choose one of the family face-embedder`,
    );
  }
  const embeddings: Float32Array[] = [];
  for (let start = 0; start < faces.length; start += batchSize) {
    const frames = faces.slice(start, start + batchSize).map((points) => alignFace(points, input));
    const tensor = isAlignedFace(input)
      ? joinSquares(aligned.slice(start, start + batchSize), input.side)
      : await squareBatch(embedder, image, frames);
    const outputs = await embedder.run({ image: tensor });
    const all = floatsOf(embedder, outputs, 'embedding');
    const length = all.length / frames.length;
    for (const index of frames.keys()) embeddings.push(all.slice(index * length, (index + 1) * length));
  }
  return embeddings;
}
