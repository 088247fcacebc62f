import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import type { NodeAttributes } from './attributes.js';

/** Input of a TF.js operator's writer. */
export interface NodeContext {
  readonly builder: GraphBuilder;
  readonly op: string;
  readonly attributes: NodeAttributes;
  /** The data inputs in order; control inputs are left out. */
  readonly inputs: readonly Value[];
  /** The input at `index`. @throws ImportError when the node has fewer. */
  input(index: number): Value;
}

/** Writes one node into the graph; several values are the node's outputs `:0`, `:1`, … */
export type Operator = (context: NodeContext) => Value | readonly Value[];
