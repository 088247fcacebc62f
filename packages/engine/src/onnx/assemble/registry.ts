import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import type { HeadSpec, Recipe } from '../recipe.js';
import { anchoredFaces } from './anchored-faces.js';
import { centernet } from './centernet.js';
import { classifierLogits } from './classifier-logits.js';
import { ctc } from './ctc.js';
import { embedding } from './embedding.js';
import { faceFilter } from './face-filter.js';
import type { Head } from './head.js';
import { landmarks } from './landmarks.js';
import { probability } from './probability.js';
import { ssd } from './ssd.js';
import { textMap } from './text-map.js';

type AnySpec = Recipe['head'];

/** Every head by its name in a recipe. */
export const heads: { readonly [Name in AnySpec['head']]: Head<HeadSpec<Name>> } = {
  'classifier-logits': classifierLogits,
  ssd,
  centernet,
  'anchored-faces': anchoredFaces,
  'face-filter': faceFilter,
  'text-map': textMap,
  ctc,
  probability,
  landmarks,
  embedding,
};

/** A head with its entry of the recipe applied. */
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
    case 'anchored-faces':
      return bind(heads['anchored-faces'], spec);
    case 'face-filter':
      return bind(heads['face-filter'], spec);
    case 'text-map':
      return bind(heads['text-map'], spec);
    case 'ctc':
      return bind(heads.ctc, spec);
    case 'probability':
      return bind(heads.probability, spec);
    case 'landmarks':
      return bind(heads.landmarks, spec);
    case 'embedding':
      return bind(heads.embedding, spec);
  }
}

function bind<Spec extends AnySpec>(head: Head<Spec>, spec: Spec): BoundHead {
  return {
    freeSize: head.freeSize,
    outputs: head.outputs(spec),
    write: (builder, values) => head.write(builder, values, spec),
  };
}
