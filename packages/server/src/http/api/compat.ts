import { type Static, Type } from 'typebox';
import { type CompatSettings, compatProtocols, usualCompatSettings } from '../../accounts/compat-settings.js';
import { exactly } from './fields.js';

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'a text of 1 to 100 characters' });
const Names = (description: string) => Type.Record(Name, Name, { maxProperties: 200, description });
const Protocol = Type.Enum([...compatProtocols], {
  description:
    'deepstack (CodeProject.AI too), compreface or doods; frigate, for a listener, which reads events of streams',
});
const Perception = Type.Union([Name, Type.Null()], {
  description: 'id of the perception whose people are named; null: none',
});
const Model = Type.Union([Name, Type.Null()], {
  description: 'id of the detector; null: the default one of the service',
});
const Models = Names('ids of detectors by the names that clients ask for, such as ipcam-general');
const Aliases = Names('what classes are called for this client, by their titles here');
const MinConfidence = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description: 'a number from 0 to 1; a client may ask for more, not for less; null: as it asks',
});
const MaxPredictions = Type.Union([Type.Integer({ minimum: 1, maximum: 1000 }), Type.Null()], {
  description: 'a whole number from 1 to 1000; null: as many as the protocol has',
});

export const Compat = Type.Object(
  {
    protocol: Protocol,
    perception: Perception,
    model: Model,
    models: Models,
    aliases: Aliases,
    min_confidence: MinConfidence,
    max_predictions: MaxPredictions,
  },
  {
    title: 'CompatSettings',
    description: 'What a client of another service cannot say, so that its key says it',
  },
);

/** A number, as the API gives the ids of perceptions and models, or a UID or the id of a built-in model. */
const IdOrUid = (what: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Name, Type.Null()], {
    description: `the number or UID of a ${what}, or null`,
  });

export const CompatInput = exactly({
  protocol: Protocol,
  perception: Type.Optional(IdOrUid('perception, whose people are named')),
  model: Type.Optional(IdOrUid('detector, in place of the default one')),
  models: Type.Optional(Models),
  aliases: Type.Optional(Aliases),
  min_confidence: Type.Optional(MinConfidence),
  max_predictions: Type.Optional(MaxPredictions),
});

export function fromCompat(given: Static<typeof CompatInput>): CompatSettings {
  const { protocol, perception, model, models, aliases, min_confidence, max_predictions } = given;
  return {
    protocol,
    perception: toText(perception) ?? usualCompatSettings.perception,
    model: toText(model) ?? usualCompatSettings.model,
    models: models ?? usualCompatSettings.models,
    aliases: aliases ?? usualCompatSettings.aliases,
    minConfidence: min_confidence ?? usualCompatSettings.minConfidence,
    maxPredictions: max_predictions ?? usualCompatSettings.maxPredictions,
  };
}

export function toCompat(settings: CompatSettings): Static<typeof Compat> {
  const { minConfidence, maxPredictions, ...same } = settings;
  return { ...same, min_confidence: minConfidence, max_predictions: maxPredictions };
}

function toText(reference: number | string | null | undefined): string | null | undefined {
  return typeof reference === 'number' ? String(reference) : reference;
}
