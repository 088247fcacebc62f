import type { Model, Node } from '../proto/model.js';
import { affineAsConvolution } from './affine-as-convolution.js';
import { averagePoolInFloats } from './average-pool.js';
import { convolutionOfConcat, foldNormalisation } from './convolution-of-concat.js';
import { convolutionOfSum } from './convolution-of-sum.js';
import { excitationAsOneProduct } from './excitation.js';
import { foldIntoConvolution } from './fold-into-convolution.js';
import { foldIntoNext } from './fold-into-next.js';
import { gatedConvolution } from './gated-convolution.js';
import { writeHardSigmoid } from './hard-sigmoid.js';
import { hardSwishInBlocks } from './hard-swish.js';
import { poolBeforeConvolution } from './pool-before-convolution.js';
import { preluInBlocks, writePrelu } from './prelu.js';
import { type Replacement, RewritableGraph } from './rewritable-graph.js';
import { transposedPair } from './transposed-pair.js';
import { ownZeroPoint } from './zero-points.js';

/** What takes the place of a node; undefined where the rewrite does not apply to it. */
export type Rewrite = (graph: RewritableGraph, node: Node) => Replacement | undefined;

/** In order: each is applied to the whole graph, and what one leaves is what the next one looks for. */
export const rewrites = {
  foldIntoConvolution,
  writeHardSigmoid,
  foldIntoNext,
  affineAsConvolution,
  hardSwishInBlocks,
  excitationAsOneProduct,
  writePrelu,
  preluInBlocks,
  averagePoolInFloats,
  ownZeroPoint,
} as const satisfies Readonly<Record<string, Rewrite>>;

/**
 * Further ones for nets with a feature pyramid, where the recipe says so. Some rely on sides of maps that a graph does not state, and of
 * all of them the gain was measured with such nets alone.
 */
export const pyramidRewrites = {
  foldNormalisation,
  convolutionOfConcat,
  convolutionOfSum,
  poolBeforeConvolution,
  gatedConvolution,
  transposedPair,
} as const satisfies Readonly<Record<string, Rewrite>>;

/**
 * Those whose results differ by the rounding of floats alone. An average of 8-bit steps may become the next step, which only a
 * source in TFLite decides.
 */
export const roundingRewrites: readonly Rewrite[] = Object.values(rewrites).filter(
  (each) => each !== averagePoolInFloats,
);

/** Every rewrite makes a graph that it does not apply to; this ends a fault in that. */
const maxRounds = 16;

/**
 * The same model in forms that ONNX Runtime runs faster: the same inputs and outputs, and results that differ by
 * rounding alone. Graphs inside nodes, and models with functions of their own, stay as they are.
 * @param chosen For tests and measurements; all of them unless given.
 */
export function rewrite(model: Model, chosen: readonly Rewrite[] = Object.values(rewrites)): Model {
  if ((model.functions?.length ?? 0) > 0) return model;
  const graph = new RewritableGraph(model.graph);
  let hasChanged = false;
  for (let round = 0; round < maxRounds; round++) {
    const changes = chosen.reduce((count, each) => count + applyEverywhere(graph, each), 0);
    if (changes === 0) break;
    hasChanged = true;
  }
  return hasChanged ? { ...model, graph: graph.finish() } : model;
}

/** @returns How often it was applied, until it no longer applied. */
function applyEverywhere(graph: RewritableGraph, each: Rewrite): number {
  let count = 0;
  for (let round = 0; round < maxRounds; round++) {
    const before = count;
    for (const node of [...graph.nodes]) {
      const replacement = graph.has(node) ? each(graph, node) : undefined;
      if (replacement === undefined) continue;
      graph.replace(node, replacement);
      count++;
    }
    if (count === before) break;
  }
  return count;
}
