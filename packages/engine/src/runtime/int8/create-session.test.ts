import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOf, node, tensor } from '../../onnx/int8/fixtures/integer-graphs.js';
import { writeModel } from '../../onnx/proto/codec.js';
import { createSession } from './create-session.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-int8-'));
});
afterAll(() => rm(dir, { recursive: true }));

const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 } as const;
const depth = 64;
const columns = 130;
const matrix = Array.from({ length: depth * columns }, (_, index) => ((index * 37) % 256) - 128);
const pixels = Uint8Array.from({ length: depth }, (_, index) => 255 - (index % 5));

/** Weights that are multiplied, and others that are also read as they are, anywhere in the file. */
function shared(nameOfWeights: string) {
  const weights = tensor(nameOfWeights, 'int8', [depth, columns], matrix);
  return graphOf(
    [1, depth],
    [
      node('MatMulInteger', ['x', 'once'], 'products'),
      node('MatMulInteger', ['x', nameOfWeights], 'others'),
      node('Cast', [nameOfWeights], 'wide', { to: 6 }),
      node('ReduceSum', ['wide'], 'sums', { keepdims: 1 }),
      node('Sub', ['products', 'others'], 'difference'),
      node('Sub', ['difference', 'sums'], 'result'),
    ],
    [
      tensor(
        'once',
        'int8',
        [depth, columns],
        matrix.map((each) => -1 - each),
      ),
      weights,
    ],
  );
}

const sum = matrix.reduce((total, each) => total + each, 0);
const expected = Array.from({ length: columns }, (_, column) =>
  pixels.reduce((total, pixel, k) => {
    const weight = matrix[k * columns + column] ?? 0;
    return total + pixel * (-1 - weight) - pixel * weight;
  }, -sum),
);

async function run(model: Uint8Array | string) {
  const session = await createSession(model, options, 'unsigned-weights');
  const { y } = await session.run({ x: new Tensor('uint8', pixels, [1, depth]) });
  await session.release();
  return Array.from(y?.data ?? [], Number);
}

test.each(['w', 'w1', 'w22', 'w333'])(
  'a file is exact where weights are changed in memory and where they are read otherwise too: %s',
  async (name) => {
    const bytes = writeModel(shared(name).model);
    const path = join(dir, `${name}.onnx`);
    await writeFile(path, bytes);
    expect(await run(path)).toEqual(expected);
    expect(Buffer.compare(await readFile(path), bytes)).toBe(0);
    const given = Buffer.from(bytes);
    expect(await run(given)).toEqual(expected);
    expect(Buffer.compare(given, bytes)).toBe(0);
  },
);

test('an invalid file is refused as without a change', async () => {
  const path = join(dir, 'cut.onnx');
  await writeFile(path, writeModel(shared('w').model).subarray(0, 9000));
  await expect(createSession(path, options, 'unsigned-weights')).rejects.toThrow();
  await expect(createSession(join(dir, 'none.onnx'), options, 'unsigned-weights')).rejects.toThrow();
});

describe.skipIf(!existsSync('/proc/self/status'))('a model of 96 MiB', () => {
  const side = 4096;
  const layers = 6;
  const bytes = layers * side * side;
  let path: string;
  beforeAll(async () => {
    const nodes = Array.from({ length: layers }, (_, layer) => {
      const last = layer === layers - 1;
      const product = node('MatMulInteger', [layer === 0 ? 'x' : `x${layer}`, `w${layer}`], `y${layer}`);
      const next = node('Cast', [`y${layer}`], last ? 'result' : `x${layer + 1}`, { to: last ? 6 : 2 });
      return [product, next];
    });
    const weights = Array.from({ length: layers }, (_, layer) => ({
      ...tensor(`w${layer}`, 'int8', [side, side], []),
      rawData: randomFillSync(new Uint8Array(side * side)),
    }));
    path = join(dir, 'large.onnx');
    await writeFile(path, writeModel(graphOf([1, side], nodes.flat(), weights).model));
  });

  const measure = async (arithmetic: string) => {
    const program = fileURLToPath(new URL('./fixtures/open-and-measure.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, path, arithmetic]);
    return JSON.parse(stdout) as { readonly peak: number; readonly held: number };
  };

  test('takes its size once more while its weights are changed, and nothing more afterwards', async () => {
    const native = await measure('native');
    const changed = await measure('unsigned-weights');
    // The runtime's own share depends on the kernels of the CPU: it packs weights, or does not.
    expect(changed.peak).toBeLessThan(3.5 * bytes);
    expect(changed.held).toBeLessThan(2.5 * bytes);
    expect(native.held).toBeGreaterThan(0.9 * bytes);
  });
});
