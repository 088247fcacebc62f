import type { Model } from '../../onnx/proto/model.js';

/** The part of a model that gives these values, without any output. */
export function keepNeeded(model: Model, values: readonly string[]): Model {
  const wanted = new Set(values);
  const nodes = (model.graph.node ?? []).toReversed().filter(({ input = [], output = [] }) => {
    const isNeeded = output.some((name) => wanted.has(name));
    if (isNeeded) for (const name of input) wanted.add(name);
    return isNeeded;
  });
  const { graph } = model;
  return {
    ...model,
    graph: {
      ...graph,
      node: nodes.reverse(),
      initializer: (graph.initializer ?? []).filter(({ name = '' }) => wanted.has(name)),
      input: (graph.input ?? []).filter(({ name = '' }) => wanted.has(name)),
      output: [],
      valueInfo: [],
    },
  };
}
