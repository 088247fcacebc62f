import { parseArgs } from 'node:util';
import { defaultModelsDir, openCatalog } from '@lynceus/engine';
import { readCoco } from './accuracy/datasets.js';
import { type Agreement, compareModel } from './agreement/compare-model.js';
import { readSourceFiles } from './agreement/source-files.js';
import { formatTable } from './table.js';

/** The largest difference that counts as equal: rounding in another order. */
const tolerance = 1e-4;

const subjects = [
  { id: 'coco-ssd', side: 300 },
  { id: 'centernet-coco', side: 512 },
] as const;

/**
 * Compares the converted detectors with the originals in TensorFlow.js (WebAssembly with SIMD, one thread): the inputs
 * of the decoding of boxes, on real photographs, and the CPU time of both.
 *
 *     agreement --data DIR [--sources DIR] [--images N]
 *
 * `--sources` is a models folder, or a folder with the source files by name, in folders by model or not; the installed
 * models' unless given.
 * @throws Error when a difference is above 1e-4.
 */
export async function runAgreement(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      sources: { type: 'string' },
      images: { type: 'string', default: '8' },
    },
  });
  if (values.data === undefined) throw new Error('agreement: --data DIR is missing');
  const results = await compareDetectors({
    ...values,
    data: values.data,
    images: Number(values.images),
  });
  process.stdout.write(`${formatTable([heading, ...results.map(describe)])}\n`);
  const worst = results.find(({ maxDifference }) => !(maxDifference <= tolerance));
  if (worst)
    throw new Error(`agreement: ${worst.id} differs by ${worst.maxDifference}, more than ${tolerance}`);
}

/** Each detector against its original, on the first `images` photographs. Throws Error where sources are missing. */
export async function compareDetectors(options: {
  readonly data: string;
  readonly images: number;
  readonly sources?: string | undefined;
}): Promise<readonly Agreement[]> {
  const named = options.sources ?? process.env['LYNCEUS_MODELS_DIR'];
  const sources = named ?? defaultModelsDir({ env: process.env, dataDir: process.cwd() });
  const photos = (await readCoco(options.data)).slice(0, options.images);
  const catalog = await openCatalog({ modelsDir: sources });

  const results: Agreement[] = [];
  for (const { id, side } of subjects) {
    const model = catalog.list().find(({ entry }) => entry.id === id);
    if (model === undefined) throw new Error(`agreement: the catalogue has no model ${id}`);
    const { recipe } = model.entry;
    if (recipe.importer === 'upload') throw new Error(`agreement: ${id} is not shipped`);
    const files = await readSourceFiles(sources, id, model.files);
    const images = photos.map(({ bytes }) => bytes);
    results.push(await compareModel({ id, recipe, files, images, side }));
  }
  return results;
}

const heading = [
  'model',
  'images',
  'largest difference',
  'ONNX Runtime, CPU ms',
  'tfjs-wasm, CPU ms',
  'faster by',
];

function describe(result: Agreement): string[] {
  const { id, images, maxDifference, ownCpuMs, referenceCpuMs } = result;
  return [
    id,
    String(images),
    maxDifference.toExponential(1),
    ownCpuMs.toFixed(1),
    referenceCpuMs.toFixed(1),
    `${(referenceCpuMs / ownCpuMs).toFixed(1)}x`,
  ];
}
