import type { Attributes, GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';

/** A node on its way from one graph to the other. An input that is left out is null. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly (Value | null)[];
  readonly attributes: Attributes;
}

/** Says the same in the operators of opset 17; nodes that must stand before it are written to `builder`. */
export type Upgrade = (builder: GraphBuilder, node: OnnxNode) => OnnxNode;
