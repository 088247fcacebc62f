import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { ModelRef } from '@lynceus/engine';
import sharp from 'sharp';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { BackgroundPhotos } from '#engine/training/background-photos.js';
import type { PooledIndex } from '#engine/training/classifier/backgrounds.js';
import type { LoadedDetector } from '#engine/training/detector/anchor-graph.js';
import { type AnchorGraph, loadDetector, openAnchorGraph } from '#engine/training/detector/anchor-graph.js';
import type { ImageAnchors } from '#engine/training/detector/anchor-sample.js';
import type { CellIndex } from '#engine/training/detector/backgrounds.js';
import { scoreAnchors } from '#engine/training/detector/head.js';
import { extractFeatures, loadBackbone } from '#engine/training/extract-features.js';
import { fingerprintOf } from '#engine/training/fingerprint.js';
import { startEngine } from '../engine.js';
import { readQtResource } from './qt-resources.js';

/** Free photographs: where they come from and what they show. */
const Photos = Type.Array(
  Type.Object({
    name: Type.String(),
    /** In the folder of unpacked packages; after `#`, the file within a Qt resource collection. */
    file: Type.String(),
    origin: Type.String(),
    licence: Type.String(),
    author: Type.String(),
    source: Type.Optional(Type.String()),
    shows: Type.Array(Type.String()),
    weight: Type.Optional(Type.Number()),
    views: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  }),
);

const list = new URL('../../train-detector/background-photos.json', import.meta.url);
const assets = new URL('../../../packages/engine/assets/backgrounds/', import.meta.url);

const maxFeature = 6;
const steps = 15;
/** Of the levels of fine cells, those that look most like a thing, and some others. */
const fineLevels = 3;
const likely = [9, 7, 8];
const others = [3, 2, 3];

/** Crops of a photograph, as fractions of its sides: left, top, width, height. */
const views = [
  [0, 0, 1, 1],
  [0.05, 0.1, 0.5, 0.5],
  [0.45, 0.4, 0.5, 0.5],
] as const;

/**
 * Writes the background features that ship with the engine. `data` holds the packages that the list names, each Debian
 * package unpacked (`dpkg-deb -x`) into a folder of its name, each npm package (`npm pack`) into one of its archive's
 * name.
 */
export async function makeBackgrounds({ data }: { readonly data: string }): Promise<void> {
  const listed = Value.Parse(Photos, JSON.parse(await readFile(list, 'utf8')));
  const photos: BackgroundPhotos = listed.map(({ file, origin, weight = 1, views: count = 3, ...photo }) => ({
    ...photo,
    origin: `${origin}, ${file}`,
    weight,
    views: count,
  }));
  const files = await Promise.all(listed.map(({ file }) => readPhoto(data, file)));
  const engine = await startEngine();
  const sizes = [
    await writeCells(await loadDetector(engine.ref('coco-ssd')), photos, files),
    await writePooled(engine.ref('inception-v3'), files),
  ];
  await engine.close();
  await writeFile(new URL('photos.json', assets), `${JSON.stringify(photos, undefined, 1)}\n`);
  const count = photos.reduce((sum, { views: own }) => sum + own, 0);
  console.log(`${count} views of ${photos.length} photographs, ${sizes.join(' and ')} bytes`);
}

async function readPhoto(data: string, file: string): Promise<Buffer> {
  const [path = '', inside] = file.split('#');
  return inside === undefined ? readFile(join(data, path)) : readQtResource(join(data, path), inside);
}

/** Cells of every view for detectors. Returns the size in bytes. */
async function writeCells(
  backbone: LoadedDetector,
  photos: BackgroundPhotos,
  files: readonly Buffer[],
): Promise<number> {
  const graph = await openAnchorGraph(backbone);
  const parts: Uint8Array[] = [];
  let cells: number[] = [];
  for (const [index, { views: count }] of photos.entries()) {
    for (const view of views.slice(0, count)) {
      const levels = chooseCells(
        backbone,
        await look(graph, backbone, files[index] ?? Buffer.alloc(0), view),
      );
      cells = levels.map(({ length }, level) => length / (backbone.levels[level]?.dims ?? 1));
      for (const level of levels) {
        const toByte = (value: number) =>
          Math.round(Math.sqrt(Math.min(value, maxFeature) / maxFeature) * steps);
        parts.push(Uint8Array.from(level, toByte));
      }
    }
  }
  await graph.close();
  const index: CellIndex = { fingerprint: fingerprintOf(backbone), maxFeature, steps, cells };
  await writeFile(new URL('coco-ssd.json', assets), `${JSON.stringify(index)}\n`);
  return writeBytes('coco-ssd.bin', parts);
}

/** Features of every whole photograph for classifiers. Returns the size in bytes. */
async function writePooled(ref: ModelRef, files: readonly Buffer[]): Promise<number> {
  const backbone = await loadBackbone({ backbone: ref });
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-backgrounds-'));
  const images = [];
  for (const [index, file] of files.entries()) {
    const path = join(dir, String(index));
    await writeFile(path, file);
    images.push({ id: path, path, sha256: createHash('sha256').update(file).digest('hex') });
  }
  const limits = { maxPixels: 100_000_000 };
  const job = { kind: 'classification' as const, backbone: ref, limits, cacheDir: join(dir, 'cache') };
  const whole = images.map((image) => ({ ...image, split: 'train' as const, labels: [] }));
  const { rows, dims } = await extractFeatures({ ...job, images: whole }, backbone, { onProgress() {} });
  await rm(dir, { recursive: true });
  const largest = rows.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const index: PooledIndex = { fingerprint: fingerprintOf(backbone), dims, largest };
  await writeFile(new URL('inception-v3.json', assets), `${JSON.stringify(index)}\n`);
  const bytes = Int8Array.from(rows, (value) => Math.round((value / largest) * 127));
  return writeBytes('inception-v3.bin', [new Uint8Array(bytes.buffer)]);
}

async function writeBytes(name: string, parts: readonly Uint8Array[]): Promise<number> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
  const bytes = brotliCompressSync(Buffer.concat(parts), quality);
  await writeFile(new URL(name, assets), bytes);
  return bytes.length;
}

async function look(
  graph: AnchorGraph,
  { input }: LoadedDetector,
  photo: Buffer,
  [left, top, width, height]: readonly [number, number, number, number],
): Promise<ImageAnchors> {
  const whole = sharp(photo, { limitInputPixels: false }).autoOrient().flatten({ background: '#ffffff' });
  const { data, info } = await whole.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const cut = {
    left: Math.floor(left * info.width),
    top: Math.floor(top * info.height),
    width: Math.floor(width * info.width),
    height: Math.floor(height * info.height),
  };
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const pixels = await sharp(data, { raw, limitInputPixels: false })
    .extract(cut)
    .resize({ width: input.width, height: input.height, fit: 'fill' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  return graph.run({ data: pixels, dims: [1, input.height, input.width, 3] });
}

/** All cells of the coarse levels; of the fine ones those where the backbone is surest of a thing, and some others. */
function chooseCells(backbone: LoadedDetector, anchors: ImageAnchors): Float32Array[] {
  return backbone.levels.map((level, index) => {
    const features = anchors.levels[index] ?? new Float32Array();
    if (index >= fineLevels) return features;
    const surest = surenessOf(backbone, anchors, index);
    const order = [...surest.keys()].sort((a, b) => (surest[b] ?? 0) - (surest[a] ?? 0));
    const best = order.slice(0, likely[index]);
    const rest = order.slice(likely[index]);
    const step = Math.max(1, Math.floor(rest.length / (others[index] ?? 1)));
    const chosen = [...best, ...rest.filter((_, at) => at % step === 0).slice(0, others[index])];
    const cells = new Float32Array(chosen.length * level.dims);
    chosen.forEach((cell, at) => {
      cells.set(features.subarray(cell * level.dims, (cell + 1) * level.dims), at * level.dims);
    });
    return cells;
  });
}

/** The highest of the backbone's own logits at each cell of a level, that of "nothing" left out. */
function surenessOf(backbone: LoadedDetector, anchors: ImageAnchors, index: number): Float32Array {
  const level = backbone.levels[index];
  if (!level) throw new RangeError(`there is no level ${index}`);
  const { dims, anchorsPerCell, weights, biases } = level;
  const cells = (anchors.levels[index]?.length ?? 0) / dims;
  const best = new Float32Array(cells).fill(Number.NEGATIVE_INFINITY);
  for (let column = 1; column < backbone.classes; column++) {
    const row = (anchor: number) => anchor * backbone.classes + column;
    const rows = Array.from({ length: anchorsPerCell }, (_, anchor) => anchor);
    const head = {
      weights: [
        Float32Array.from(
          rows.flatMap((anchor) => [...weights.subarray(row(anchor) * dims, (row(anchor) + 1) * dims)]),
        ),
      ],
      biases: [Float32Array.from(rows, (anchor) => biases[row(anchor)] ?? 0)],
    };
    const only = { ...backbone, levels: [level] };
    scoreAnchors(only, head, { levels: [anchors.levels[index] ?? new Float32Array()] }).forEach(
      (score, at) => {
        const cell = Math.floor(at / anchorsPerCell);
        best[cell] = Math.max(best[cell] ?? 0, score);
      },
    );
  }
  return best;
}
