import { Value } from 'typebox/value';
import { ServiceError } from '../core/service-error.js';
import { toSnakeName } from '../core/snake-names.js';
import { DeliveryError } from '../delivery/destination.js';
import {
  DestinationSecrets,
  DestinationSettings,
  type SecretName,
  secretsOf,
} from '../delivery/destination-settings.js';
import { sealContexts } from '../storage/secrets/sealed-values.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';

/** Where a drop's files go, with what it takes to get in there. */
export interface WholeDestination {
  readonly settings: DestinationSettings;
  readonly secrets: DestinationSecrets;
}

/** The same as it is kept. */
interface KeptDestination {
  readonly settings: DestinationSettings;
  /** Null: they were sealed with another key of the installation. */
  readonly secrets: DestinationSecrets | null;
}

/** A destination as its row has it: the secrets sealed for this drop alone. */
interface DestinationRow {
  readonly destination: string | null;
  readonly sealed_secrets: string | null;
}

export function toRow({ settings, secrets }: WholeDestination, box: SecretBox, uid: string): DestinationRow {
  const kept = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return {
    destination: JSON.stringify(settings),
    sealed_secrets:
      kept.length === 0
        ? null
        : box.seal(JSON.stringify(Object.fromEntries(kept)), sealContexts.dropSecrets(uid)),
  };
}

export function fromRow(row: DestinationRow, box: SecretBox, uid: string): KeptDestination | null {
  if (row.destination === null) return null;
  const settings = Value.Parse(DestinationSettings, JSON.parse(row.destination));
  if (row.sealed_secrets === null) return { settings, secrets: {} };
  const text = box.open(row.sealed_secrets, sealContexts.dropSecrets(uid));
  return { settings, secrets: text === null ? null : Value.Parse(DestinationSecrets, JSON.parse(text)) };
}

/** Throws `credentials` where its secrets were sealed with another key. */
export function requireSecrets({ settings, secrets }: KeptDestination): WholeDestination {
  if (secrets !== null) return { settings, secrets };
  throw new DeliveryError(
    'credentials',
    "the destination's secrets cannot be opened: they were sealed with another key of the installation; send the destination again with its secrets, or let the operator put back the file secret-key of the data folder and restart",
  );
}

export interface DestinationRequest {
  readonly settings: DestinationSettings;
  /** Absent ones stay as they are, as long as they go to the same host. */
  readonly secrets: DestinationSecrets;
}

/**
 * A destination in the place of another. Secrets that were kept are kept on only where they go to the same host: else
 * whoever may change the address could have them sent to himself. Throws `wrong_parameters` for secrets of another kind.
 */
export function replaceDestination(
  old: KeptDestination | null,
  wanted: DestinationRequest,
): WholeDestination {
  const { settings, secrets } = wanted;
  const taken: readonly SecretName[] = secretsOf[settings.kind];
  const given = Object.keys(secrets);
  const foreign = given.filter((name) => !taken.some((secret) => secret === name));
  if (foreign.length > 0) {
    throw new ServiceError(
      'wrong_parameters',
      `a destination of the kind ${settings.kind} takes ${taken.length === 0 ? 'no secret' : taken.map(toSnakeName).join(', ')}, and not ${foreign.map(toSnakeName).join(', ')}`,
    );
  }
  const isSame = old !== null && reachOf(old.settings) === reachOf(settings);
  return { settings, secrets: isSame ? { ...old.secrets, ...secrets } : secrets };
}

/** Who gets the secrets. */
function reachOf(settings: DestinationSettings): string {
  switch (settings.kind) {
    case 'ftp':
    case 'ftps':
    case 'sftp':
      return [settings.kind, settings.host, settings.port ?? '', settings.user].join(' ');
    case 's3':
      return [settings.kind, settings.endpoint, settings.bucket, settings.accessKeyId].join(' ');
    case 'http':
      return [settings.kind, settings.address, settings.user ?? '', settings.headerName ?? ''].join(' ');
    case 'folder':
      return settings.kind;
  }
}
