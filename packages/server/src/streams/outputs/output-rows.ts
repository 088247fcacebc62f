import type { Selectable } from 'kysely';
import { Value } from 'typebox/value';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import { toSnakeName } from '../../core/snake-names.js';
import { DeliveryError } from '../../delivery/destination.js';
import { createAccountRows } from '../../storage/account-rows.js';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import type { StreamOutput } from './output.js';
import {
  type OutputSecretName,
  OutputSecrets,
  type OutputSettings,
  readOutputSettings,
  secretsOf,
} from './output-settings.js';

export type OutputRow = Selectable<Schema['stream_output']>;

/** Where events go, with what it takes to get in there. */
export interface WholeOutput {
  readonly settings: OutputSettings;
  readonly secrets: OutputSecrets;
}

/** The same as it is kept. */
interface KeptOutput {
  readonly settings: OutputSettings;
  /** Null: they were sealed with another key of the installation. */
  readonly secrets: OutputSecrets | null;
}

export function createOutputRows(deps: {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
}) {
  return createAccountRows({
    ...deps,
    table: 'stream_output',
    kind: 'stream_output',
    toItem: (row) => row,
    notFound: (id) => new ServiceError('not_found', `${id} is not one of your outputs of streams`),
  });
}

/** Counts its revision up. Returns false when the output was changed or deleted since the row was read. */
export async function updateUnchanged(
  database: Pick<Database, 'query' | 'write'>,
  read: OutputRow,
  change: Partial<OutputRow>,
): Promise<boolean> {
  const [changed] = await database.write([
    database.query
      .updateTable('stream_output')
      .set({ ...change, revision: read.revision + 1 })
      .where('account_id', '=', read.account_id)
      .where('id', '=', read.id)
      .where('deleted_at', 'is', null)
      .where('revision', '=', read.revision)
      // Sealed again meanwhile, by another key.
      .where(({ fn, val }) => fn.coalesce('sealed_secrets', val('')), '=', read.sealed_secrets ?? ''),
  ]);
  return changed?.changes === 1;
}

export function toColumns(
  { settings, secrets }: WholeOutput,
  box: SecretBox,
  uid: string,
): Pick<OutputRow, 'settings' | 'sealed_secrets'> {
  const kept = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return {
    settings: JSON.stringify(settings),
    sealed_secrets:
      kept.length === 0
        ? null
        : box.seal(JSON.stringify(Object.fromEntries(kept)), sealContexts.streamOutputSecrets(uid)),
  };
}

export function fromColumns(
  row: Pick<OutputRow, 'kind' | 'settings' | 'sealed_secrets' | 'uid'>,
  box: SecretBox,
): KeptOutput {
  const settings = readOutputSettings(row.kind, row.settings);
  if (row.sealed_secrets === null) return { settings, secrets: {} };
  const text = box.open(row.sealed_secrets, sealContexts.streamOutputSecrets(row.uid));
  return { settings, secrets: text === null ? null : Value.Parse(OutputSecrets, JSON.parse(text)) };
}

/** Throws `credentials` where its secrets were sealed with another key. */
export function requireSecrets({ settings, secrets }: KeptOutput): WholeOutput {
  if (secrets !== null) return { settings, secrets };
  throw new DeliveryError(
    'credentials',
    'the secrets of the output cannot be opened: they were sealed with another key of the installation; send them again, or let the operator put back the file secret-key of the data folder and restart',
  );
}

export function toOutput(row: OutputRow, box: SecretBox): StreamOutput {
  const { settings, secrets } = fromColumns(row, box);
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    isEnabled: row.is_enabled === 1,
    settings,
    secretNames: secretsOf[settings.kind].filter((name) => secrets?.[name] !== undefined),
    deliveredSeq: row.delivered_seq,
    failingSince: row.failing_since,
    error: row.error,
    givenUp: row.given_up,
    createdAt: row.created_at,
  };
}

/**
 * Settings in the place of others. Secrets that were kept are kept on only where they go to the same receiver: else whoever may
 * change the address could have them sent to himself. Throws `wrong_parameters` for secrets of another kind.
 */
export function replaceOutput(
  old: KeptOutput | null,
  settings: OutputSettings,
  secrets: OutputSecrets,
): WholeOutput {
  const taken: readonly OutputSecretName[] = secretsOf[settings.kind];
  const foreign = Object.keys(secrets).filter((name) => !taken.some((secret) => secret === name));
  if (foreign.length > 0) {
    throw new ServiceError(
      'wrong_parameters',
      `secrets: an output of the kind ${settings.kind} takes ${taken.map(toSnakeName).join(', ')}, and not ${foreign.map(toSnakeName).join(', ')}`,
    );
  }
  const isSame = old !== null && reachOf(old.settings) === reachOf(settings);
  const { signingKey, ...sent } = old?.secrets ?? {};
  // The key of the signature is sent to nobody.
  const kept = { ...(signingKey === undefined ? {} : { signingKey }), ...(isSame ? sent : {}) };
  return { settings, secrets: { ...kept, ...secrets } };
}

/** Who gets the secrets. */
function reachOf(settings: OutputSettings): string {
  const { kind, url, certificateUnchecked, certificate } = settings;
  const identity = certificateUnchecked ? 'anybody' : (certificate ?? '');
  return JSON.stringify([kind, url, identity, settings.kind === 'mqtt' ? settings.username : null]);
}
