import { type Static, Type } from 'typebox';
import { BundledModel } from './added/bundled-model.js';

/** First member of a bundle: the models in it. The files follow as `sources/<sha256>`. */
export const bundleIndexName = 'lynceus-models.json';

export const BundleIndex = Type.Object({
  format: Type.Literal('lynceus-models'),
  formatVersion: Type.Literal(1),
  models: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 100 }),
      files: Type.Array(
        Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }), bytes: Type.Integer() }),
        { maxItems: 1000 },
      ),
      added: Type.Optional(BundledModel),
    }),
    { maxItems: 1000 },
  ),
});
export type BundleIndex = Static<typeof BundleIndex>;
