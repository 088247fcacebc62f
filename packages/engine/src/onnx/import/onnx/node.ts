import type { Attributes, GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';

/** A node between the two graphs. An omitted input is null. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly (Value | null)[];
  readonly attributes: Attributes;
}

/** Rewrites a node in the operators of opset 17; preceding nodes are written to `builder`. */
export type Upgrade = (builder: GraphBuilder, node: OnnxNode) => OnnxNode;
