import type { Database } from '../database.js';
import { beginResealing } from './begin-replacement.js';
import { type InstallationKeyDeps, readInstallationKeys } from './installation-key.js';
import { readKeyState } from './key-check.js';
import { withKeysHeld } from './key-fence.js';
import { checksOf } from './key-ring.js';
import { countOpened, readSealedValues } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

interface Resealed {
  /** Values that another key had sealed. */
  readonly resealed: number;
  /** Values that none of the keys opens: they stay as they are. */
  readonly lost: number;
}

interface ResealDeps extends InstallationKeyDeps {
  readonly database: Database;
  /** Services that were seen since then run. */
  readonly aliveSince: number;
  /** Values in one unit; 100 unless given. */
  readonly batchSize?: number;
}

/**
 * Seals with the sealing key what other keys have sealed, beside running services; afterwards no service needs the key before.
 * Interrupted at any point it is run again. Throws `locked` while a service seals with another key.
 */
export async function resealValues(deps: ResealDeps): Promise<Resealed> {
  const { batchSize = 100 } = deps;
  const keys = await readInstallationKeys(deps);
  const checks = checksOf(keys);
  const state = await readKeyState(deps.database);
  if (state !== null && state.previous !== null)
    await beginResealing(deps.database, state, checks, deps.aliveSince);
  const database = withKeysHeld(deps.database, keys);
  const [box, newBox] = [createSecretBox(keys), createSecretBox([keys[0]])];
  let resealed = 0;
  // Until a look finds nothing: a value may be moved from one column to another while it is replaced in the first.
  for (;;) {
    const statements = (await readSealedValues(database)).flatMap(({ sealed, context, replace }) => {
      if (newBox.open(sealed, context) !== null) return [];
      const text = box.open(sealed, context);
      return text === null ? [] : [replace(box.seal(text, context))];
    });
    if (statements.length === 0) break;
    for (let at = 0; at < statements.length; at += batchSize) {
      const results = await database.write(statements.slice(at, at + batchSize));
      resealed += results.reduce((sum, { changes }) => sum + changes, 0);
    }
  }
  await database.write([
    database.query
      .updateTable('installation_key')
      .set((row) => ({ retired_check: row.ref('previous_check'), previous_check: null, is_resealing: 0 }))
      .where('check_value', '=', checks[0])
      .where('is_resealing', '=', 1),
  ]);
  const values = await readSealedValues(database);
  return { resealed, lost: values.length - countOpened(values, newBox) };
}
