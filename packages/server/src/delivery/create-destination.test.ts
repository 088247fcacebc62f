import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import { DestinationSecrets, DestinationSettings } from './destination-settings.js';
import { makeDeps } from './fixtures/deliveries.js';
import { describeDestination, showDestination } from './show-destination.js';

const ftp: DestinationSettings = { kind: 'ftp', host: 'desk.example', user: 'desk' };
const http: DestinationSettings = { kind: 'http', address: 'https://desk.example/in' };
const s3: DestinationSettings = {
  kind: 's3',
  endpoint: 'https://store.example',
  region: 'us-east-1',
  bucket: 'images',
  accessKeyId: 'ID',
};
const sftp: DestinationSettings = {
  kind: 'sftp',
  host: '2001:db8::1',
  port: 2222,
  user: 'desk',
  folder: '/in',
};

describe('settings that cannot work are rejected with the correction', () => {
  test.each([
    [ftp, { token: 'x' }, 'ftp takes no secret token; it takes password'],
    [{ kind: 'folder', folder: '/in' }, { password: 'x' }, 'folder takes no secret password; it takes none'],
    [ftp, { password: 'a\r\nDELE b' }, 'password has a line break'],
    [s3, {}, 'needs the secret secret_access_key'],
    [sftp, {}, 'needs the secret password or private_key'],
    [sftp, { privateKey: 'not a key' }, 'private_key is no private key'],
    [http, { token: 'a', password: 'b' }, 'user and the secret password belong together'],
    [{ ...http, user: 'a' }, { token: 'a', password: 'b' }, 'either the secret token or user and password'],
    [{ ...http, headerName: 'Host' }, { headerValue: 'b' }, 'header_name cannot be Host'],
    [{ ...http, headerName: 'X-Key' }, {}, 'belong together'],
    [
      { ...http, certificate: `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----` },
      {},
      'certificate cannot be read',
    ],
    [{ ...ftp, folder: '/a/../../b' }, {}, 'must not contain ..'],
    [{ ...ftp, path: '{jear}/{name}' }, {}, 'path has {jear}, which is none of {year}'],
  ] satisfies [DestinationSettings, DestinationSecrets, string][])('%j %j', (settings, secrets, message) => {
    expect(() => createDestination(settings, secrets, makeDeps())).toThrow(message);
  });
});

test.each([
  { ...ftp, user: 'a\r\nDELE b' },
  { ...ftp, host: 'desk.example/in' },
  { ...ftp, host: 'a b' },
  { ...ftp, folder: 'a\nb' },
  { ...ftp, password: 'in the clear' },
  { ...http, address: 'https://user:secret@desk.example/' },
  { ...http, address: 'https://desk.example/?key=secret' },
  { ...http, address: 'file:///etc/passwd' },
  { ...s3, endpoint: 'https://store.example/path' },
  { ...s3, bucket: '../other' },
  { kind: 'folder', folder: 'relative' },
  { kind: 'gopher', host: 'desk.example' },
])('rejects the settings %j', (settings) => {
  expect(Value.Check(DestinationSettings, settings)).toBe(false);
});

test('a destination is shown without its secrets', () => {
  const secrets: DestinationSecrets = { password: 'hidden', privateKey: 'hidden too' };
  const shown = showDestination(sftp, secrets);
  expect(shown).toEqual({ settings: sftp, secrets: ['password', 'privateKey'] });
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(Value.Check(DestinationSecrets, secrets)).toBe(true);
});

test('a destination is described on one line', () => {
  expect([ftp, sftp, s3, http].map(describeDestination)).toEqual([
    'ftp://desk@desk.example',
    'sftp://desk@[2001:db8::1]:2222/in',
    'https://store.example/images',
    'https://desk.example/in',
  ]);
});
