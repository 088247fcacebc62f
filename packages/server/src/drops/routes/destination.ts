import { type Static, type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import { toCamel, toSnake, toSnakeName } from '../../core/snake-names.js';
import {
  DestinationSecrets,
  DestinationSettings,
  FolderSettings,
  FtpSettings,
  FtpsSettings,
  HttpSettings,
  S3Settings,
  SftpSettings,
} from '../../delivery/destination-settings.js';
import { findTemplateFault } from '../../delivery/path-template.js';
import { snakeFields } from '../../http/api/snake-fields.js';
import type { DestinationRequest } from '../destination-rows.js';
import type { Drop } from '../drop.js';

const SecretsInput = Type.Object(snakeFields(DestinationSecrets.properties), {
  title: 'DropSecrets',
  additionalProperties: false,
  description:
    'an object with secrets of this kind; those left out stay as they are while the host stays the same',
});
const SecretNames = Type.Array(Type.String(), { description: 'which secrets are kept; never what they are' });

export const destinationText =
  'an object with kind (ftp, ftps, sftp, s3, http or folder) and what that kind takes';

function given<Fields extends TProperties>(title: string, fields: Fields) {
  const all = { ...snakeFields(fields), secrets: Type.Optional(SecretsInput) };
  return Type.Object(all, { title, additionalProperties: false });
}

function shown<Fields extends TProperties>(title: string, fields: Fields) {
  return Type.Object({ ...snakeFields(fields), secrets: SecretNames }, { title });
}

/** Where the files of a drop shall go, secrets and all. */
export const DestinationInput = Type.Union(
  [
    given('FtpDestinationInput', FtpSettings.properties),
    given('FtpsDestinationInput', FtpsSettings.properties),
    given('SftpDestinationInput', SftpSettings.properties),
    given('S3DestinationInput', S3Settings.properties),
    given('HttpDestinationInput', HttpSettings.properties),
    given('FolderDestinationInput', FolderSettings.properties),
  ],
  { title: 'DropDestinationInput', description: destinationText },
);

/** Where they go, without what is secret. */
export const Destination = Type.Union(
  [
    shown('FtpDestination', FtpSettings.properties),
    shown('FtpsDestination', FtpsSettings.properties),
    shown('SftpDestination', SftpSettings.properties),
    shown('S3Destination', S3Settings.properties),
    shown('HttpDestination', HttpSettings.properties),
    shown('FolderDestination', FolderSettings.properties),
  ],
  {
    title: 'DropDestination',
    description: 'Where the files of a drop go, without what is secret; see docs/destinations.md',
  },
);

/** Throws `wrong_parameters` for a path template with a fault. */
export function fromDestination({
  secrets = {},
  ...settings
}: Static<typeof DestinationInput>): DestinationRequest {
  const fault = settings.path === undefined ? null : findTemplateFault(settings.path);
  if (fault !== null) throw new ServiceError('wrong_parameters', `destination.path ${fault}`);
  return {
    settings: Value.Parse(DestinationSettings, toCamel(settings)),
    secrets: Value.Parse(DestinationSecrets, toCamel(secrets)),
  };
}

export function toDestination({
  destination,
  secretNames,
}: Pick<Drop, 'destination' | 'secretNames'>): Static<typeof Destination> | null {
  return destination && { ...toSnake(destination), secrets: secretNames.map(toSnakeName) };
}
