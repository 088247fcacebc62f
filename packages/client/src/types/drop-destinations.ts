/** Where a drop's files go; without what is secret. `docs/destinations.md` tells each kind. */
export type DropDestination = { readonly secrets: readonly string[] } & (
  | FtpPlace
  | FtpsPlace
  | SftpPlace
  | S3Place
  | HttpPlace
  | FolderPlace
);

/** The same as it is given: secrets by their names. */
export type DropDestinationGiven = {
  /** Those left out stay as they are while the place stays the same. */
  readonly secrets?: DropSecrets;
} & (FtpPlace | FtpsPlace | SftpPlace | S3Place | HttpPlace | FolderPlace);

export interface DropSecrets {
  readonly password?: string;
  readonly private_key?: string;
  readonly passphrase?: string;
  readonly secret_access_key?: string;
  readonly token?: string;
  readonly header_value?: string;
  readonly query?: string;
}

interface AnyPlace {
  /** A template such as `{year}/{month}/{label}/{name}`. */
  readonly path?: string;
}
interface NamedPlace extends AnyPlace {
  /** `rename` unless given. */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
}
interface HostPlace extends NamedPlace {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly folder?: string;
}
export interface FtpPlace extends HostPlace {
  readonly kind: 'ftp';
}
export interface FtpsPlace extends HostPlace {
  readonly kind: 'ftps';
  readonly tls?: 'explicit' | 'implicit';
  readonly certificate?: string;
}
export interface SftpPlace extends HostPlace {
  readonly kind: 'sftp';
  readonly host_key?: string;
}
export interface S3Place extends NamedPlace {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly access_key_id: string;
  readonly path_style?: boolean;
  readonly prefix?: string;
  readonly certificate?: string;
}
export interface HttpPlace extends AnyPlace {
  readonly kind: 'http';
  readonly address: string;
  readonly user?: string;
  readonly header_name?: string;
  readonly certificate?: string;
}
export interface FolderPlace extends NamedPlace {
  readonly kind: 'folder';
  readonly folder: string;
}
