import type { Graph, Model } from '../onnx/proto/model.js';

/**
 * Concatenates two graphs. Inputs of the second that are named in `joint` are values of the first, the others become inputs of the
 * whole; the outputs are those of the second.
 * @param prefix Put before all other names of the second, which both might use.
 */
export function joinModels(first: Model, second: Model, joint: readonly string[], prefix: string): Model {
  const { name: title, input = [], output = [], node = [], initializer = [] } = second.graph;
  const kept = new Set([...input, ...output].map(({ name = '' }) => name));
  const renamed = (name: string) => (name === '' || kept.has(name) ? name : `${prefix}/${name}`);
  const graph: Graph = {
    ...first.graph,
    ...(title !== undefined && { name: title }),
    node: [
      ...(first.graph.node ?? []),
      ...node.map((one) => ({
        ...one,
        name: `${prefix}/${one.name ?? ''}`,
        input: (one.input ?? []).map(renamed),
        output: (one.output ?? []).map(renamed),
      })),
    ],
    initializer: [
      ...(first.graph.initializer ?? []),
      ...initializer.map((tensor) => ({ ...tensor, name: renamed(tensor.name ?? '') })),
    ],
    input: [...(first.graph.input ?? []), ...input.filter(({ name = '' }) => !joint.includes(name))],
    output,
  };
  return { ...first, graph };
}
