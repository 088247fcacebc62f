import { Value } from 'typebox/value';
import { toSnakeName } from '../core/snake-names.js';
import { DeliveryError, type Destination, type DestinationDeps, usualLimits } from './destination.js';
import { DestinationSecrets, DestinationSettings, secretsOf } from './destination-settings.js';
import { explainFailure, hideSecrets, spellingsOf } from './explain-failure.js';
import { useDiskFolder } from './folder-destination.js';
import { useFtpFolder } from './ftp-destination.js';
import { createHttpDestination } from './http-destination.js';
import { findTemplateFault } from './path-template.js';
import { deliverToRemoteFolder } from './put-delivery.js';
import { useS3Folder } from './s3-destination.js';
import { useSftpFolder } from './sftp-destination.js';

/** Creates a destination of any kind. Throws `settings` for settings that cannot work with any remote server. */
export function createDestination(
  settings: DestinationSettings,
  secrets: DestinationSecrets,
  deps: DestinationDeps,
): Destination {
  checkSettings(settings, secrets);
  const user = 'user' in settings ? settings.user : undefined;
  return withoutSecrets(createKind(settings, secrets, deps), spellingsOf(Object.values(secrets), user));
}

function createKind(
  settings: DestinationSettings,
  secrets: DestinationSecrets,
  deps: DestinationDeps,
): Destination {
  const limits = deps.limits ?? usualLimits;
  if (settings.kind === 'http') return createHttpDestination(settings, secrets, limits, deps);
  const { ifExists = 'rename' } = settings;
  switch (settings.kind) {
    case 'ftp':
    case 'ftps':
      return deliverToRemoteFolder(useFtpFolder(settings, secrets, limits, deps), ifExists, limits);
    case 'sftp':
      return deliverToRemoteFolder(useSftpFolder(settings, secrets, limits, deps), ifExists, limits);
    case 's3':
      return deliverToRemoteFolder(useS3Folder(settings, secrets, limits, deps), ifExists, limits);
    case 'folder':
      return deliverToRemoteFolder(useDiskFolder(settings, deps), ifExists, limits);
  }
}

function checkSettings(settings: DestinationSettings, secrets: DestinationSecrets): void {
  if (!Value.Check(DestinationSettings, settings) || !Value.Check(DestinationSecrets, secrets)) {
    throw new DeliveryError('settings', 'the settings of the destination do not fit their kind');
  }
  const fault = settings.path === undefined ? null : findTemplateFault(settings.path);
  if (fault !== null) throw new DeliveryError('settings', `path ${fault}`);
  const taken: readonly string[] = secretsOf[settings.kind];
  for (const [name, value] of Object.entries(secrets)) {
    if (!taken.includes(name)) {
      throw new DeliveryError(
        'settings',
        `${settings.kind} takes no secret ${toSnakeName(name)}; it takes ${taken.map(toSnakeName).join(', ') || 'none'}`,
      );
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
    if (name !== 'privateKey' && /[\u0000-\u001f\u007f]/.test(value)) {
      throw new DeliveryError(
        'settings',
        `the secret ${toSnakeName(name)} has a line break or another control character in it`,
      );
    }
  }
}

function withoutSecrets(destination: Destination, secrets: readonly string[]): Destination {
  const guard = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw hideSecrets(explainFailure(error), secrets);
    }
  };
  return {
    deliver: (delivery, signal) => guard(signal, () => destination.deliver(delivery, signal)),
    test: (signal) => guard(signal, () => destination.test(signal)),
  };
}
