import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { checkName } from './check-fields.js';
import { hashKey } from './key.js';

/** No key is shorter: see the setting `firstKey`. */
const minKeyLength = 16;

/**
 * The name of a key as it is kept, in the open. Throws `wrong_parameters` for one that is no name, and for one that holds a
 * key that was pasted into the wrong field.
 */
export async function checkKeyName({ query }: Pick<Database, 'query'>, text: string): Promise<string> {
  const name = checkName('key name', text);
  const hashes = name
    .split(/\s+/)
    .filter((word) => word.length >= minKeyLength)
    .map(hashKey);
  if (hashes.length === 0) return name;
  const held = await query.selectFrom('api_key').select('id').where('hash', 'in', hashes).executeTakeFirst();
  if (held) {
    throw new ServiceError('wrong_parameters', 'The key name holds an API key; give one that may be seen.');
  }
  return name;
}
