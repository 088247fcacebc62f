import { Type } from 'typebox';

export const text = (maxLength: number, description: string) =>
  // No control characters: commands of FTP and headers of HTTP end at a line's end.
  Type.String({ maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description });

export const host = Type.String({
  maxLength: 253,
  pattern: '^[A-Za-z0-9:]([A-Za-z0-9._:-]*[A-Za-z0-9:])?$',
  description: 'the name or IP address of a host, without protocol, port or path',
});
export const port = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'a port from 1 to 65535; left out: the usual one',
  }),
);
export const user = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'a user name of 1 to 200 characters',
});
export const folder = Type.Optional(
  text(500, 'a path of folders, such as /images/in; left out: the folder one is in after logging in'),
);
export const certificate = Type.Optional(
  Type.String({
    maxLength: 40_000,
    pattern:
      '^\\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s-]+(BEGIN CERTIFICATE|END CERTIFICATE)-----\\s*$',
    description:
      "certificates in PEM: of the authority that signed the server's, or the server's own when it signed itself",
  }),
);

/** What every kind has. */
export const shared = {
  path: Type.Optional(
    text(500, 'a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name}'),
  ),
};
/** What every kind has that keeps files by name. */
export const keeping = {
  ...shared,
  ifExists: Type.Optional(
    Type.Union([Type.Literal('rename'), Type.Literal('replace'), Type.Literal('fail')], {
      description: 'rename (the default: IMG_1 (2).jpg), replace or fail',
    }),
  ),
};
export const strict = { additionalProperties: false };
