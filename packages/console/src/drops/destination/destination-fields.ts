import type { DropDestinationInput, DropSecrets } from '@lynceus/client';

export type Kind = DropDestinationInput['kind'];
export const kinds: readonly Kind[] = ['sftp', 'ftps', 'ftp', 's3', 'http', 'folder'];

export const secretFields = [
  'password',
  'private_key',
  'passphrase',
  'secret_access_key',
  'token',
  'header_value',
  'query',
] as const satisfies readonly (keyof DropSecrets)[];
export type SecretField = (typeof secretFields)[number];

export const plainFields = [
  'host',
  'port',
  'user',
  'folder',
  'tls',
  'host_key',
  'endpoint',
  'region',
  'bucket',
  'access_key_id',
  'path_style',
  'prefix',
  'address',
  'header_name',
  'certificate',
  'path',
  'if_exists',
] as const;
export type FieldName = (typeof plainFields)[number] | SecretField;

interface KindFields {
  /** Shown at first. */
  readonly first: readonly FieldName[];
  /** The required ones of these. */
  readonly needed: readonly FieldName[];
  /** Shown on request: they have defaults. */
  readonly more: readonly FieldName[];
}

/** The fields of each kind, in the order of the form. See `docs/destinations.md`. */
export const fieldsOf: Readonly<Record<Kind, KindFields>> = {
  ftp: {
    first: ['host', 'port', 'user', 'password', 'folder'],
    needed: ['host', 'user'],
    more: ['path', 'if_exists'],
  },
  ftps: {
    first: ['host', 'port', 'user', 'password', 'folder'],
    needed: ['host', 'user'],
    more: ['tls', 'certificate', 'path', 'if_exists'],
  },
  sftp: {
    first: ['host', 'port', 'user', 'password', 'folder'],
    needed: ['host', 'user'],
    more: ['private_key', 'passphrase', 'host_key', 'path', 'if_exists'],
  },
  s3: {
    first: ['endpoint', 'region', 'bucket', 'access_key_id', 'secret_access_key'],
    needed: ['endpoint', 'region', 'bucket', 'access_key_id'],
    more: ['prefix', 'path_style', 'certificate', 'path', 'if_exists'],
  },
  http: {
    first: ['address', 'token'],
    needed: ['address'],
    more: ['user', 'password', 'header_name', 'header_value', 'query', 'certificate', 'path'],
  },
  folder: { first: ['folder'], needed: ['folder'], more: ['path', 'if_exists'] },
};

export function isSecret(name: FieldName): name is SecretField {
  return (secretFields as readonly FieldName[]).includes(name);
}
