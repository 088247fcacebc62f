import { createHash } from 'node:crypto';
import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import { writeModel } from '../../onnx/proto/codec.js';
import type { LoadedBackbone } from '../extract-features.js';
import { openFeatureCache } from '../feature-cache.js';
import { floatsIn, openGraph } from '../open-graph.js';
import type { DetectorTraining } from '../training-job.js';
import { detectorInput, type LoadedDetector } from './anchor-graph.js';
import { cropFeatures, cropSide, withFeatures, writeCrops } from './crop-graph.js';
import type { ExtractedImage } from './extract-anchors.js';
import type { Corners } from './overlap.js';

/** A classifier's features of parts of images. */
export interface CropFeatures {
  /** A row for each box, of length 1; from the cache where possible. */
  of(image: ExtractedImage, boxes: readonly Corners[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Cut from the detector's input of 300 by 300 pixels, as in a prediction: crops of the whole image were no better. */
export async function openCropFeatures(
  { cacheDir, limits, backbone }: Pick<DetectorTraining, 'cacheDir' | 'limits' | 'backbone'>,
  { input }: LoadedDetector,
  classifier: LoadedBackbone,
): Promise<CropFeatures> {
  const { id, version } = classifier.manifest;
  const kind = `crops-of-${backbone.id}@${backbone.version}`;
  const cache = openFeatureCache(cacheDir, { id, version, dir: '' }, kind);
  const builder = new GraphBuilder();
  const image = builder.input('image', 'uint8', [1, input.height, input.width, 3]);
  writeCrops(builder, image, builder.input('boxes', 'float32', ['crops', 4]), cropSide(classifier));
  const graph = await openGraph(writeModel(withFeatures(builder.finish('crops'), classifier)));

  async function compute({ image: { path } }: ExtractedImage, boxes: readonly Corners[]) {
    const { data, dims } = await detectorInput(path, limits, input);
    const rows: Float32Array[] = [];
    for (const box of boxes) {
      const outputs = await graph.run({
        image: { data, dims },
        boxes: { data: Float32Array.from(box), dims: [1, 4] },
      });
      rows.push(floatsIn(outputs, cropFeatures).slice());
    }
    return rows;
  }

  return {
    async of(image, boxes) {
      const keys = boxes.map((box) => keyOf(image, box));
      const known = await Promise.all(keys.map(async (key) => asFloats(await cache.read(key))));
      const missing = boxes.filter((_, index) => known[index] === undefined);
      const fresh = missing.length > 0 ? await compute(image, missing) : [];
      const rows = known.map((row) => row ?? fresh.shift() ?? new Float32Array());
      for (const [index, row] of rows.entries())
        if (known[index] === undefined) await cache.write(keys[index] ?? '', new Uint8Array(row.buffer));
      return rows;
    },
    close: () => graph.close(),
  };
}

function keyOf({ image }: ExtractedImage, box: Corners): string {
  const sides = box.map((side) => side.toFixed(4)).join();
  return createHash('sha256').update(`${image.sha256} ${sides}`).digest('hex');
}

function asFloats(bytes: Uint8Array | undefined): Float32Array | undefined {
  return bytes && bytes.length > 0 && bytes.length % 4 === 0
    ? new Float32Array(bytes.buffer, 0, bytes.length / 4)
    : undefined;
}
