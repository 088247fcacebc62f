import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import { writeModel } from '../../onnx/proto/codec.js';
import type { LoadedBackbone } from '../extract-features.js';
import { openFeatureCache } from '../feature-cache.js';
import { floatsIn, openGraph } from '../open-graph.js';
import type { DetectorTraining } from '../training-job.js';
import { detectorInput, type LoadedDetector } from './anchor-graph.js';
import { type KeptCrop, readKeptCrops, writeKeptCrops } from './crop-codec.js';
import { cropFeatures, cropSide, withFeatures, writeCrops } from './crop-graph.js';
import type { ExtractedImage } from './extract-anchors.js';
import type { Corners } from './overlap.js';

/** A classifier's features of parts of images. */
export type CropFeatures = Awaited<ReturnType<typeof openCropFeatures>>;

/** Raised when crops are cut or described in another way. */
const revision = 1;

/** Cut from the detector's input of 300 by 300 pixels, as in a prediction: crops of the whole image were no better. */
export async function openCropFeatures(
  { cacheDir, limits, backbone }: Pick<DetectorTraining, 'cacheDir' | 'limits' | 'backbone'>,
  { input }: LoadedDetector,
  classifier: LoadedBackbone,
) {
  const { id, version } = classifier.manifest;
  const kind = `crops-of-${backbone.id}@${backbone.version}-${revision}`;
  const cache = openFeatureCache(cacheDir, { id, version, dir: '' }, kind);
  const builder = new GraphBuilder();
  const image = builder.input('image', 'uint8', [1, input.height, input.width, 3]);
  writeCrops(builder, image, builder.input('boxes', 'float32', ['crops', 4]), cropSide(classifier));
  const graph = await openGraph(writeModel(withFeatures(builder.finish('crops'), classifier)));

  async function compute({ image: { path } }: ExtractedImage, boxes: readonly Float32Array[]) {
    const { data, dims } = await detectorInput(path, limits, input);
    const crops: KeptCrop[] = [];
    for (const corners of boxes) {
      const outputs = await graph.run({
        image: { data, dims },
        boxes: { data: corners, dims: [1, 4] },
      });
      crops.push({ corners, features: floatsIn(outputs, cropFeatures).slice() });
    }
    return crops;
  }

  return {
    /** A row for each box, of length 1; from the cache where possible. */
    async of(extracted: ExtractedImage, boxes: readonly Corners[]): Promise<Float32Array[]> {
      const { sha256 } = extracted.image;
      const kept = readKeptCrops(await cache.read(sha256));
      const wanted = boxes.map((box) => Float32Array.from(box));
      const missing = wanted.filter((corners) => !find(kept, corners));
      const fresh = missing.length > 0 ? await compute(extracted, missing) : [];
      if (fresh.length > 0) await cache.write(sha256, writeKeptCrops([...fresh, ...kept]));
      return wanted.map(
        (corners) => (find(fresh, corners) ?? find(kept, corners))?.features ?? new Float32Array(),
      );
    },
    close: () => graph.close(),
  };
}

function find(crops: readonly KeptCrop[], wanted: Float32Array): KeptCrop | undefined {
  return crops.find(({ corners }) => corners.every((side, index) => side === wanted[index]));
}
