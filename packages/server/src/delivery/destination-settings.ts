import { type Static, Type } from 'typebox';
import { oneLine } from '../core/one-line.js';

const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: oneLine, description });

const host = Type.String({
  maxLength: 253,
  pattern: '^[A-Za-z0-9:]([A-Za-z0-9._:-]*[A-Za-z0-9:])?$',
  description: 'the name or IP address of a host, without protocol, port or path',
});

const port = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'a port from 1 to 65535; left out: the usual one',
  }),
);

const user = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: oneLine,
  description: 'a user name of 1 to 200 characters',
});

const folder = Type.Optional(
  text(500, 'a path of folders, such as /images/in; left out: the folder one is in after logging in'),
);

const certificate = Type.Optional(
  Type.String({
    maxLength: 40_000,
    pattern:
      '^\\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s-]+(BEGIN CERTIFICATE|END CERTIFICATE)-----\\s*$',
    description: "certificates in PEM: of the authority that signed the server's, or the server's own",
  }),
);

/** Common to all kinds. */
const shared = {
  path: Type.Optional(
    text(500, 'a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name}'),
  ),
};

/** Common to all kinds that store files by name. */
const keeping = {
  ...shared,
  ifExists: Type.Optional(
    Type.Union([Type.Literal('rename'), Type.Literal('replace'), Type.Literal('fail')], {
      description: 'rename (the default: IMG_1 (2).jpg), replace or fail',
    }),
  ),
};

const strict = { additionalProperties: false };

export const FtpSettings = Type.Object(
  { kind: Type.Literal('ftp'), host, port, user, folder, ...keeping },
  strict,
);

export const FtpsSettings = Type.Object(
  {
    kind: Type.Literal('ftps'),
    tls: Type.Optional(
      Type.Union([Type.Literal('explicit'), Type.Literal('implicit')], {
        description: 'explicit (the default: AUTH TLS, usually port 21) or implicit (usually port 990)',
      }),
    ),
    host,
    port,
    user,
    folder,
    certificate,
    ...keeping,
  },
  strict,
);

export const SftpSettings = Type.Object(
  {
    kind: Type.Literal('sftp'),
    host,
    port,
    user,
    folder,
    hostKey: Type.Optional(
      Type.String({
        pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
        description:
          "the fingerprint of the server's key as ssh-keygen -l prints it; left out: the first one that is seen",
      }),
    ),
    ...keeping,
  },
  strict,
);

export const S3Settings = Type.Object(
  {
    kind: Type.Literal('s3'),
    endpoint: Type.String({
      maxLength: 300,
      pattern: '^https?://[^/?#@\\s]+/?$',
      description: 'an http or https address without a path, such as https://s3.eu-central-1.amazonaws.com',
    }),
    region: Type.String({
      pattern: '^[A-Za-z0-9-]{1,60}$',
      description: 'a region such as eu-central-1; us-east-1 for most others than AWS',
    }),
    bucket: Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description: 'the name of a bucket',
    }),
    accessKeyId: Type.String({
      pattern: '^[A-Za-z0-9_./+=-]{1,128}$',
      description: 'the id of an access key',
    }),
    pathStyle: Type.Optional(
      Type.Boolean({
        description: 'true (the default) for https://HOST/BUCKET, false for https://BUCKET.HOST',
      }),
    ),
    prefix: Type.Optional(text(500, 'a path before every key, such as images/in')),
    certificate,
    ...keeping,
  },
  strict,
);

export const HttpSettings = Type.Object(
  {
    kind: Type.Literal('http'),
    address: Type.String({
      maxLength: 1000,
      pattern: '^https?://[^?#@\\s]+$',
      description: 'an http or https address without user name or query; those are secrets of their own',
    }),
    user: Type.Optional(user),
    headerName: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$",
        description: 'the name of a header that is sent with the secret header_value',
      }),
    ),
    certificate,
    ...shared,
  },
  strict,
);

export const FolderSettings = Type.Object(
  {
    kind: Type.Literal('folder'),
    folder: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^/[^\\u0000-\\u001f\\u007f]*$',
      description: 'the absolute path of a folder within one that the operator allows (dropFolders)',
    }),
    ...keeping,
  },
  strict,
);

/** The settings of a destination, without its secrets. */
export const DestinationSettings = Type.Union([
  FtpSettings,
  FtpsSettings,
  SftpSettings,
  S3Settings,
  HttpSettings,
  FolderSettings,
]);

const secret = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

/** Stored encrypted and never shown. `secretsOf` lists the secrets of each kind. */
export const DestinationSecrets = Type.Object(
  {
    password: secret(500, 'a password of 1 to 500 characters'),
    privateKey: secret(20_000, 'a private key in the form of OpenSSH or PEM'),
    passphrase: secret(500, 'the passphrase of the private key'),
    secretAccessKey: secret(500, 'the secret of the access key'),
    token: secret(5000, 'a token that is sent as Authorization: Bearer'),
    headerValue: secret(5000, 'the value of the header header_name'),
    query: secret(2000, 'what comes after ? in the address'),
  },
  strict,
);

export type FtpSettings = Readonly<Static<typeof FtpSettings>>;
export type FtpsSettings = Readonly<Static<typeof FtpsSettings>>;
export type SftpSettings = Readonly<Static<typeof SftpSettings>>;
export type S3Settings = Readonly<Static<typeof S3Settings>>;
export type HttpSettings = Readonly<Static<typeof HttpSettings>>;
export type FolderSettings = Readonly<Static<typeof FolderSettings>>;
export type DestinationSettings = Readonly<Static<typeof DestinationSettings>>;
export type DestinationSecrets = Readonly<Static<typeof DestinationSecrets>>;
export type SecretName = keyof DestinationSecrets;
export type IfExists = NonNullable<FtpSettings['ifExists']>;

/** The secrets of each kind. */
export const secretsOf: Readonly<Record<DestinationSettings['kind'], readonly SecretName[]>> = {
  ftp: ['password'],
  ftps: ['password'],
  sftp: ['password', 'privateKey', 'passphrase'],
  s3: ['secretAccessKey'],
  http: ['password', 'token', 'headerValue', 'query'],
  folder: [],
};
