import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import { ImportError } from '../import-error.js';

/**
 * The end of a model's graph: from the net's outputs to those of its family (`catalog/manifest.ts`).
 * `Spec` is the head's entry in a recipe.
 */
export interface Head<Spec> {
  /** True when the net accepts images of any size that suits its strides. */
  readonly freeSize: boolean;
  /** Outputs of the net that the head needs, by name; empty for the net's only output. */
  outputs(spec: Spec): readonly string[];
  /** @param values In the order of `outputs`. */
  write(builder: GraphBuilder, values: readonly Value[], spec: Spec): void;
}

/** The only output of a net. */
export function onlyValue(values: readonly Value[]): Value {
  const [value, ...others] = values;
  if (value !== undefined && others.length === 0) return value;
  throw new ImportError(`the model has ${values.length} outputs where one is expected`);
}
