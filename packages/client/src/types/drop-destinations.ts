/** Where a drop's files go; without what is secret. `docs/destinations.md` tells each kind. */
export type DropDestination = { readonly secrets: readonly string[] } & (
  | FtpDestination
  | FtpsDestination
  | SftpDestination
  | S3Destination
  | HttpDestination
  | FolderDestination
);

/** The same as it is given: secrets by their names. */
export type DropDestinationInput = {
  /** Those left out stay as they are while the place stays the same. */
  readonly secrets?: DropSecrets;
} & (
  | FtpDestination
  | FtpsDestination
  | SftpDestination
  | S3Destination
  | HttpDestination
  | FolderDestination
);

export interface DropSecrets {
  readonly password?: string;
  readonly private_key?: string;
  readonly passphrase?: string;
  readonly secret_access_key?: string;
  readonly token?: string;
  readonly header_value?: string;
  readonly query?: string;
}

interface AnyDestination {
  /** A template such as `{year}/{month}/{label}/{name}`. */
  readonly path?: string;
}
interface NamedDestination extends AnyDestination {
  /** `rename` unless given. */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
}
interface HostDestination extends NamedDestination {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly folder?: string;
}
export interface FtpDestination extends HostDestination {
  readonly kind: 'ftp';
}
export interface FtpsDestination extends HostDestination {
  readonly kind: 'ftps';
  readonly tls?: 'explicit' | 'implicit';
  readonly certificate?: string;
}
export interface SftpDestination extends HostDestination {
  readonly kind: 'sftp';
  readonly host_key?: string;
}
export interface S3Destination extends NamedDestination {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly access_key_id: string;
  readonly path_style?: boolean;
  readonly prefix?: string;
  readonly certificate?: string;
}
export interface HttpDestination extends AnyDestination {
  readonly kind: 'http';
  readonly address: string;
  readonly user?: string;
  readonly header_name?: string;
  readonly certificate?: string;
}
export interface FolderDestination extends NamedDestination {
  readonly kind: 'folder';
  readonly folder: string;
}
