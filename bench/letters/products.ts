import { writeModel } from '@lynceus/engine/onnx';
import { floatsIn, openGraph } from '#engine/training/open-graph.js';

/** Products of matrices, rows first, by the inference runtime: a hundred times as fast as a loop. */
export interface Products {
  /** [rows, inner] x [columns, inner] transposed -> [rows, columns] */
  timesTransposed(a: Float32Array, b: Float32Array, inner: number): Promise<Float32Array>;
  /** [inner, rows] transposed x [inner, columns] -> [rows, columns] */
  transposedTimes(a: Float32Array, b: Float32Array, inner: number): Promise<Float32Array>;
  close(): Promise<void>;
}

export async function openProducts(): Promise<Products> {
  const second = await openGraph(gemm({ transA: 0n, transB: 1n }));
  const first = await openGraph(gemm({ transA: 1n, transB: 0n }));
  return {
    timesTransposed: async (a, b, inner) =>
      floatsIn(
        await second.run({
          a: { data: a, dims: [a.length / inner, inner] },
          b: { data: b, dims: [b.length / inner, inner] },
        }),
        'c',
      ),
    transposedTimes: async (a, b, inner) =>
      floatsIn(
        await first.run({
          a: { data: a, dims: [inner, a.length / inner] },
          b: { data: b, dims: [inner, b.length / inner] },
        }),
        'c',
      ),
    close: async () => {
      await first.close();
      await second.close();
    },
  };
}

function gemm(flags: Readonly<Record<string, bigint>>): Uint8Array {
  const matrix = (name: string) => ({
    name,
    type: {
      tensorType: { elemType: 1, shape: { dim: [{ dimParam: `${name}0` }, { dimParam: `${name}1` }] } },
    },
  });
  const attribute = Object.entries(flags).map(([name, i]) => ({ name, type: 2, i }));
  return writeModel({
    irVersion: 8n,
    opsetImport: [{ domain: '', version: 17n }],
    graph: {
      name: 'product',
      node: [{ opType: 'Gemm', input: ['a', 'b'], output: ['c'], attribute }],
      input: [matrix('a'), matrix('b')],
      output: [matrix('c')],
    },
  });
}
