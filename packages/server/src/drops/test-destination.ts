import { ServiceError } from '../core/service-error.js';
import { checkLiteralAddress } from '../delivery/check-literal-address.js';
import { createDestination } from '../delivery/create-destination.js';
import { DeliveryError, type DeliveryErrorCode, type DestinationDeps } from '../delivery/destination.js';
import { findAllowedRoot } from '../delivery/folder-destination.js';
import { checkPrivateKey } from '../delivery/private-key.js';
import type { WholeDestination } from './destination-rows.js';
import type { Drops } from './drops.js';

export type DestinationVerdict = { readonly durationMs: number } & (
  | { readonly isGood: true; readonly where: string }
  | { readonly isGood: false; readonly problem: DeliveryErrorCode; readonly message: string }
);

interface TestDestinationDeps {
  readonly drops: Pick<Drops, 'read' | 'destination' | 'keepHostKey'>;
  readonly destinationDeps: Omit<DestinationDeps, 'keepHostKey'>;
}

/** A user waits for the answer; a delivery has more time. */
const limits = { connectTimeoutMs: 10_000, stallTimeoutMs: 10_000, wholeTimeoutMs: 20_000 };

/**
 * Connects to where a drop's files go, writes a small file there, and removes it. That it does not work is an answer.
 * Throws `conflict` where the drop has no destination.
 */
export async function testDestination(
  { drops, destinationDeps }: TestDestinationDeps,
  accountId: number,
  dropId: number,
  signal: AbortSignal,
): Promise<DestinationVerdict> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    const whole = await drops.destination(accountId, dropId);
    if (whole === null) {
      throw new ServiceError('conflict', 'the drop has no destination: give it one first');
    }
    const destination = createDestination(whole.settings, whole.secrets, {
      ...destinationDeps,
      limits,
      keepHostKey: (fingerprint) => drops.keepHostKey(accountId, dropId, fingerprint),
    });
    const { where } = await destination.test(signal);
    return { isGood: true, where, durationMs: durationMs() };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { isGood: false, problem: error.code, message: error.message, durationMs: durationMs() };
  }
}

/** Throws `wrong_parameters` for a destination that cannot work whatever the far side says, or that the operator does not allow. */
export async function checkDestination(
  destinationDeps: TestDestinationDeps['destinationDeps'],
  { settings, secrets }: WholeDestination,
): Promise<void> {
  try {
    createDestination(settings, secrets, { ...destinationDeps, keepHostKey: async () => undefined });
    if (settings.kind === 'sftp') await checkPrivateKey(secrets);
    if (settings.kind === 'folder') findAllowedRoot(destinationDeps.allowedFolders, settings.folder);
    checkLiteralAddress(settings, destinationDeps.allowedNetworks);
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new ServiceError('wrong_parameters', `destination: ${error.message}`, { cause: error });
  }
}
