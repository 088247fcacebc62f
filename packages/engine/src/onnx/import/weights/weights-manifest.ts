import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ImportError } from '../../import-error.js';
import { type GraphModel, WeightEntry } from '../tfjs/graph-model.js';

const WeightsManifest = Type.Array(Type.Object({ weights: Type.Array(WeightEntry) }));

/** A `…-weights_manifest.json` of TF.js. @throws ImportError when the bytes are something else. */
export function readWeightsManifest(bytes: Uint8Array): GraphModel['weightsManifest'] {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ImportError('the weights manifest is not JSON', { cause: error });
  }
  if (Value.Check(WeightsManifest, json)) return json;
  const [first] = Value.Errors(WeightsManifest, json);
  throw new ImportError(
    `this is no weights manifest of TF.js: ${first?.instancePath || '/'} ${first?.message ?? ''}`,
  );
}
