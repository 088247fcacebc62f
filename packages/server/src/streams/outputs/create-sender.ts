import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import { ServiceError } from '../../core/service-error.js';
import { DeliveryError } from '../../delivery/destination.js';
import { explainFailure, hideSecrets, spellingsOf } from '../../delivery/explain-failure.js';
import { parseCertificates } from '../../delivery/remote-host.js';
import type { Database } from '../../storage/database.js';
import type { Media } from '../media.js';
import { createMqttSender, type MqttOutput } from './mqtt/mqtt-sender.js';
import type { WholeOutput } from './output-rows.js';
import type { Sender, SenderDeps } from './sender.js';
import { createWebhookSender } from './webhook-sender.js';

export interface CreateSenderDeps extends SenderDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly media: Pick<Media, 'read'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** @param onClosed a connection that is kept was cut */
export function createSender(
  whole: WholeOutput & Pick<MqttOutput, 'accountId' | 'id' | 'uid' | 'fence'>,
  deps: CreateSenderDeps,
  onClosed: () => void,
): Sender {
  const { settings, secrets } = whole;
  return settings.kind === 'webhook'
    ? createWebhookSender(settings, secrets, deps)
    : createMqttSender({ ...whole, settings }, { ...deps, onClosed });
}

/** Throws `wrong_parameters` for one that cannot work whatever the receiver says. */
export function checkOutput({ settings }: WholeOutput): void {
  if (!URL.canParse(settings.url)) {
    throw new ServiceError(
      'wrong_parameters',
      'settings.url must be an address whose host and port can be, such as https://receiver.example:8443/events',
    );
  }
  if (settings.certificate === null) return;
  try {
    parseCertificates(settings.certificate);
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new ServiceError('wrong_parameters', `settings.certificate: ${error.message}`, { cause: error });
  }
}

/** Any error of a sender, explained for the owner of the output and without secrets. */
export function explainForOwner(error: unknown, { settings, secrets }: WholeOutput): DeliveryError {
  const user = settings.kind === 'mqtt' ? (settings.username ?? undefined) : undefined;
  return hideSecrets(explainFailure(error), spellingsOf(Object.values(secrets), user));
}
