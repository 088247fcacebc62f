import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import type { HeadSpec, Recipe } from '../recipe.js';
import { centernet } from './centernet.js';
import { classifierLogits } from './classifier-logits.js';
import type { Head } from './head.js';
import { ssd } from './ssd.js';

type AnySpec = Recipe['head'];

/** Every head by its name in a recipe. */
export const heads: { readonly [Name in AnySpec['head']]: Head<HeadSpec<Name>> } = {
  'classifier-logits': classifierLogits,
  ssd,
  centernet,
};

/** A head with its part of the recipe filled in. */
export interface BoundHead {
  readonly freeSize: boolean;
  readonly outputs: readonly string[];
  write(builder: GraphBuilder, values: readonly Value[]): void;
}

export function bindHead(spec: AnySpec): BoundHead {
  switch (spec.head) {
    case 'classifier-logits':
      return bind(heads['classifier-logits'], spec);
    case 'ssd':
      return bind(heads.ssd, spec);
    case 'centernet':
      return bind(heads.centernet, spec);
  }
}

function bind<Spec extends AnySpec>(head: Head<Spec>, spec: Spec): BoundHead {
  return {
    freeSize: head.freeSize,
    outputs: head.outputs(spec),
    write: (builder, values) => head.write(builder, values, spec),
  };
}
