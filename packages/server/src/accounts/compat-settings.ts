import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Creator } from './creator.js';
import type { OwnKey, OwnKeyRequest } from './own-key.js';

/** Services whose clients are answered as they expect it. */
export const compatProtocols = ['deepstack', 'compreface', 'doods', 'frigate'] as const;
export type CompatProtocol = (typeof compatProtocols)[number];

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Names = Type.Record(Name, Name, { maxProperties: 200 });

/** What a client of another service cannot say, so that its key says it. Written as JSON beside the key. */
const StoredSettings = Type.Object({
  protocol: Type.Enum([...compatProtocols]),
  /** UID of the perception whose people are named; null: no faces. */
  perception: Type.Union([Name, Type.Null()]),
  /** UID or number of the detector; null: the default one. */
  model: Type.Union([Name, Type.Null()]),
  /** UIDs or numbers of detectors by the names that clients ask for, such as `ipcam-general`. */
  models: Names,
  /** What classes are called for this client, by their titles here. */
  aliases: Names,
  /** From 0 to 1; a client may ask for more, not for less. Null: as the client asks. */
  minConfidence: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
  /** Null: as many as the protocol has. */
  maxPredictions: Type.Union([Type.Integer({ minimum: 1, maximum: 1000 }), Type.Null()]),
});
/** Interpreting it takes a millisecond of a row with many entries, and a page has a hundred. */
const compiled = Compile(StoredSettings);
export type CompatSettings = Static<typeof StoredSettings>;

/** Keys for clients of other services, as an account manages them. */
export interface ManageCompatKeys {
  /** Throws `invalid_model` and `wrong_parameters` for models and a perception that the account has not, and what keys throw. */
  create(
    accountId: number,
    wanted: OwnKeyRequest & { readonly settings: CompatSettings; readonly creator: Creator },
  ): Promise<OwnKey & { readonly key: string }>;
  /** In the place of all that the key said. Throws the same, and `conflict` for another key. */
  change(accountId: number, keyId: number, settings: CompatSettings, by: Creator): Promise<void>;
}

export const usualCompatSettings: Omit<CompatSettings, 'protocol'> = {
  perception: null,
  model: null,
  models: {},
  aliases: {},
  minConfidence: null,
  maxPredictions: null,
};

export function writeCompatSettings(settings: CompatSettings): string {
  return JSON.stringify(settings);
}

/** Throws for what another version wrote and this one does not know. */
export function readCompatSettings(text: string): CompatSettings {
  return compiled.Parse(JSON.parse(text));
}
