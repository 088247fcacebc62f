import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { checkAuthorizedKeys } from './authorized-keys.js';
import { readableKeyPair } from './sftp/readable-key-pair.js';

const { generateKeyPairSync } = ssh2.utils;
const ed25519 = await readableKeyPair(() => generateKeyPairSync('ed25519', { comment: 'desk' }));

test.each([
  ['ed25519', ed25519.public],
  ['P-256', generateKeyPairSync('ecdsa', { bits: 256 }).public],
  ['P-521', generateKeyPairSync('ecdsa', { bits: 521 }).public],
  ['RSA', generateKeyPairSync('rsa', { bits: 2048 }).public],
])('a public key is kept as its line: %s', (_type, line) => {
  expect(checkAuthorizedKeys([`  ${line}\n`])).toEqual([line]);
});

test('the same key is kept once, with its first comment', () => {
  const [type, encoded] = ed25519.public.split(' ');
  expect(checkAuthorizedKeys([ed25519.public, `${type} ${encoded} other`])).toEqual([ed25519.public]);
});

test.each([
  ['a private key', ed25519.private, /private key/],
  ['a word', 'password', /a line such as/],
  ['options before it', `command="x" ${ed25519.public}`, /a line such as/],
  ['another type', ed25519.public.replace('ssh-ed25519', 'ssh-rsa'), /of the type/],
  ['a piece of one', ed25519.public.slice(0, 40), /of the type/],
  ['a short RSA key', generateKeyPairSync('rsa', { bits: 1024 }).public, /RSA key of 1024 bits/],
  ['a point beside the curve', `ecdsa-sha2-nistp256 ${offCurve()}`, /of the type/],
])('what cannot open a drop is refused with its place: %s', (_what, line, message) => {
  expect(() => checkAuthorizedKeys([ed25519.public, line])).toThrow(message);
  expect(() => checkAuthorizedKeys([ed25519.public, line])).toThrow(/settings\.authorized_keys\[1\]/);
});

test('more keys than a drop has, and a line that is longer as it is kept, are refused', async () => {
  const making = Array.from({ length: 21 }, () => readableKeyPair(() => generateKeyPairSync('ed25519')));
  const keys = (await Promise.all(making)).map((pair) => pair.public);
  expect(checkAuthorizedKeys(keys.slice(1))).toHaveLength(20);
  expect(() => checkAuthorizedKeys(keys)).toThrow(/more than 20 keys/);
  expect(() => checkAuthorizedKeys([`${ed25519.public} ${'x'.repeat(4096)}`])).toThrow(/4096 characters/);
});

function offCurve(): string {
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]);
  const fields = [Buffer.from('ecdsa-sha2-nistp256'), Buffer.from('nistp256'), point];
  return Buffer.concat(fields.map(field)).toString('base64');
}
