import { type Static, Type } from 'typebox';
import { Id } from '../../http/api/fields.js';
import { chainNames } from '../embedder-figures.js';
import type {
  EmbeddedBy as DomainEmbeddedBy,
  EmbedderState as DomainState,
} from '../re-embedding/embedder-state.js';

export const Chain = Type.Enum([...chainNames], {
  description: `one of the chains of face models that the service knows: ${chainNames.join(', ')}`,
});
const ChainOrNull = Type.Union(
  [
    Type.Enum([...chainNames], { title: 'FaceChain', description: 'models that recognise faces together' }),
    Type.Null(),
  ],
  {
    description: 'the chain of models to which the embedder belongs; null: one of no chain of this service',
  },
);
const Embedder = Type.String({
  description: 'a model with its version',
  examples: ['fr-feature@0123456789ab'],
});
const embeddedBy = {
  embedder: Embedder,
  chain: ChainOrNull,
  images: Type.Integer({ description: 'that it has described' }),
};

const Change = Type.Object({
  state: Type.Enum(['none', 'waiting', 'embedding', 'held', 'failed'], {
    description: 'held: all is described but what was left out; failed: error says why',
  }),
  embedder: Type.Union([Type.String(), Type.Null()], {
    description: 'that is to come; null without a change',
  }),
  chain: ChainOrNull,
  leave_out: Type.Boolean({ description: 'whether images may stay without a vector' }),
  done: Type.Integer({ description: 'images that are described or left out' }),
  total: Type.Integer(),
  seconds_left: Type.Union([Type.Integer(), Type.Null()], { description: 'null while nobody knows' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'why it failed, or failed last' }),
  advice: Type.Union([Type.String(), Type.Null()], {
    description: 'how to continue, where it does not by itself',
  }),
});

const DecisionPoint = Type.Object(
  {
    cosine: Type.Number({ description: 'from which faces match' }),
    similarity: Type.Number({ description: 'the same as a similarity, 0 to 1' }),
    calibration: Type.Union([Type.Object({ midpoint: Type.Number(), slope: Type.Number() }), Type.Null()], {
      description: 'of the perception; null: the curve of the embedder',
    }),
  },
  { title: 'RefittedDecision' },
);
const RefitOrNull = Type.Union(
  [
    Type.Object({
      from: DecisionPoint,
      to: DecisionPoint,
      pairs: Type.Integer({
        description: 'of two of its people, compared to keep the rate; 0: by the figures of the embedder',
      }),
      false_match_rate: Type.Number({ description: 'that both have, 0 to 1' }),
    }),
    Type.Null(),
  ],
  {
    description:
      'how the last change moved a decision point or curve of its own, so that strangers match as often as before; null: it has none, or the model is another',
  },
);

const LeftOut = Type.Object(
  {
    count: Type.Integer(),
    images: Type.Array(
      Type.Object({
        image_id: Id,
        reason: Type.Enum(['no-face', 'other-face', 'image-damaged', 'image-missing', 'analysis-failed']),
      }),
      { description: 'the first hundred by id' },
    ),
  },
  { description: 'images that the embedder of the change, else the one in use, cannot describe' },
);

export const EmbedderState = Type.Object(
  {
    ...embeddedBy,
    kept: Type.Array(Type.Object(embeddedBy, { title: 'EmbeddedBy' }), {
      description: 'embedders not in use that have described images too: going back to one is quick',
    }),
    change: Change,
    refit: RefitOrNull,
    left_out: LeftOut,
    inactive_corrections: Type.Integer({
      description: 'corrections by embedders not in use; they count again when their embedder does',
    }),
  },
  {
    title: 'EmbedderState',
    description: 'By what the images are described, and what becomes of a change of it',
  },
);

export function toEmbedderState(found: DomainState): Static<typeof EmbedderState> {
  const { inUse, kept, change, refit, leftOut, inactiveCorrections } = found;
  const { state, wanted, done, total, secondsLeft, error } = change;
  return {
    ...toEmbeddedBy(inUse),
    kept: kept.map(toEmbeddedBy),
    change: {
      state,
      embedder: wanted?.embedder ?? null,
      chain: change.chain,
      leave_out: wanted?.leaveOut ?? false,
      done,
      total,
      seconds_left: secondsLeft,
      error,
      advice: adviceOn(found),
    },
    refit: refit && {
      from: refit.from,
      to: refit.to,
      pairs: refit.pairs,
      false_match_rate: refit.falseMatchRate,
    },
    left_out: {
      count: leftOut.count,
      images: leftOut.images.map(({ imageId, reason }) => ({ image_id: imageId, reason })),
    },
    inactive_corrections: inactiveCorrections,
  };
}

function toEmbeddedBy({
  embedder,
  chain,
  images,
}: DomainEmbeddedBy): Static<typeof EmbedderState>['kept'][number] {
  return { embedder, chain, images };
}

function adviceOn({ change, leftOut }: DomainState): string | null {
  if (change.state === 'held' && leftOut.count === 0) {
    return 'the images that could not be described are deleted: request the change again to continue';
  }
  if (change.state === 'held') {
    return `${leftOut.count === 1 ? 'one image' : `${leftOut.count} images`} cannot be described: ask for the change again with leave_out true, and searches do not find them; or delete them and ask again; DELETE gives the change up`;
  }
  if (change.state === 'failed') return 'what was embedded is kept: request the change again to continue';
  return null;
}
