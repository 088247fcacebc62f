import { withExactProducts } from '../../onnx/int8/exact-products.js';
import { type ProbeGraph, probeGraph } from '../../onnx/int8/probe-graph.js';
import type { Model } from '../../onnx/proto/model.js';
import type { ProbeForm } from './probe-files.js';

/**
 * How graphs with 8-bit weights are run on this CPU.
 * - `native`: as they are; the CPU adds products of uint8 and int8 exactly (VNNI, arm64).
 * - `unsigned-weights`: int8 weights become uint8 when a graph is loaded, since the CPU adds their products in 16 bits, which
 *   saturate (x64 with AVX2 or AVX512 and no VNNI). Exact, and a little slower.
 * - `inexact`: as above, but the self-test failed even then.
 */
export type Int8Arithmetic = 'native' | 'unsigned-weights' | 'inexact';

/** Runs a graph once and returns the numbers of its outputs. */
export type RunProbe = (
  model: Model,
  feeds: ProbeGraph['feeds'],
  form: ProbeForm,
) => Promise<Readonly<Record<string, ArrayLike<number>>>>;

/** The cheapest way whose results in `run` equal those of exact arithmetic. */
export async function chooseInt8Arithmetic(run: RunProbe): Promise<Int8Arithmetic> {
  const probe = probeGraph();
  const isExact = async (model: Model, form: ProbeForm) => {
    const outputs = await run(model, probe.feeds, form);
    return Object.entries(probe.expected).every(
      ([name, numbers]) => Array.from(outputs[name] ?? []).join() === numbers.join(),
    );
  };
  if (await isExact(probe.model, 'signed')) return 'native';
  return (await isExact(withExactProducts(probe.model) ?? probe.model, 'exact'))
    ? 'unsigned-weights'
    : 'inexact';
}
