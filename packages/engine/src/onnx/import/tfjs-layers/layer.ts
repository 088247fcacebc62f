import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import type { LayerConfig } from './layer-config.js';

/** Input of a layer's writer. Images are [n,h,w,c]. */
export interface LayerContext {
  readonly builder: GraphBuilder;
  readonly config: LayerConfig;
  readonly inputs: readonly Value[];
  /** The first input. @throws ImportError when there is none. */
  readonly input: Value;
  /** A weight by its name within the layer: `kernel`. @throws ImportError when the file has none. */
  weight(name: string): Value;
}

export type LayerWriter = (context: LayerContext) => Value;
