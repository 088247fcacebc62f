import type { ImageLimits } from '../../image/image.js';
import { extractAll } from '../extract-all.js';
import { openFeatureCache } from '../feature-cache.js';
import type { FeatureSource, FeatureWork } from '../feature-source.js';
import type { TrainingContext } from '../training-context.js';
import type { BoxedImage, DetectorTraining } from '../training-job.js';
import { anchorBytes, decodeAnchors, encodeAnchors } from './anchor-codec.js';
import { type AnchorGraph, detectorInput, type LoadedDetector, openAnchorGraph } from './anchor-graph.js';
import type { ImageAnchors } from './anchor-sample.js';

/** A labelled box relative to the image (0..1). */
interface RelativeTruth {
  readonly label: number;
  /** xMin, yMin, xMax, yMax */
  readonly corners: readonly [number, number, number, number];
}

/** An image with its features. */
export interface ExtractedImage {
  readonly image: BoxedImage;
  readonly width: number;
  readonly height: number;
  readonly truths: readonly RelativeTruth[];
  /** Decoded at every call: the features of a few hundred images would fill the memory. */
  anchors(): ImageAnchors;
}

export interface ExtractedImages {
  readonly images: readonly ExtractedImage[];
  /** Images that could not be opened. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Features of the job's images, from the cache where possible. */
export async function extractAnchors(
  job: DetectorTraining,
  backbone: LoadedDetector,
  context: TrainingContext,
): Promise<ExtractedImages> {
  const source = await openAnchorFeatures(job, backbone);
  const { images, refused } = await extractAll(job, source, context);
  return { images: images.map(({ image, kept }) => extracted(image, kept, source.shape)), refused };
}

/** The size of an image and its anchors, as bytes. */
export async function openAnchorFeatures(
  { backbone: ref, limits, cacheDir }: FeatureWork,
  backbone: LoadedDetector,
): Promise<FeatureSource<Uint8Array> & { readonly shape: Shape }> {
  const cache = openFeatureCache(cacheDir, ref, 'anchors-f16');
  const graph = await openAnchorGraph(backbone);
  const shape = await shapeOf(graph, backbone);
  return {
    shape,
    has: ({ sha256 }) => cache.has(sha256),
    async read({ sha256 }) {
      const kept = await cache.read(sha256);
      return kept?.length === sizeBytes + anchorBytes(shape.anchors, shape.lengths) ? kept : undefined;
    },
    async compute({ path, sha256 }) {
      const bytes = await encodeImage(graph, path, limits, backbone);
      await cache.write(sha256, bytes);
      return bytes;
    },
    close: () => graph.close(),
  };
}

interface Shape {
  readonly anchors: number;
  readonly lengths: readonly number[];
}

/** The number of anchors and features, which the graph does not declare: measured on a blank image. */
async function shapeOf(graph: AnchorGraph, { input }: LoadedDetector): Promise<Shape> {
  const { width, height } = input;
  const blank = { data: new Uint8Array(width * height * 3), dims: [1, height, width, 3] };
  const { levels, corners } = await graph.run(blank);
  return { anchors: corners.length / 4, lengths: levels.map(({ length }) => length) };
}

const sizeBytes = 8;

/** The image's size, then its anchors. */
async function encodeImage(
  graph: AnchorGraph,
  path: string,
  limits: ImageLimits,
  { input }: LoadedDetector,
): Promise<Uint8Array> {
  const { width, height, ...image } = await detectorInput(path, limits, input);
  const size = Buffer.alloc(sizeBytes);
  size.writeUInt32LE(width, 0);
  size.writeUInt32LE(height, 4);
  return Buffer.concat([size, encodeAnchors(await graph.run(image))]);
}

function readKept(bytes: Uint8Array, { anchors, lengths }: Shape): ImageAnchors | undefined {
  return decodeAnchors(bytes.subarray(sizeBytes), anchors, lengths);
}

function extracted(image: BoxedImage, bytes: Uint8Array, shape: Shape): ExtractedImage {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, sizeBytes);
  const [width, height] = [view.readUInt32LE(0), view.readUInt32LE(4)];
  return {
    image,
    width,
    height,
    truths: image.boxes.map(({ label, box }) => ({
      label,
      corners: [box.xMin / width, box.yMin / height, box.xMax / width, box.yMax / height],
    })),
    anchors() {
      const anchors = readKept(bytes, shape);
      if (!anchors) throw new Error(`features of image ${image.id} have another shape`);
      return anchors;
    },
  };
}
