import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureOwnCertificate } from './own-certificate.js';
import type { CertificatePaths } from './tls.js';

const now = Date.now();
const yearMs = 365 * 86_400_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-own-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const names = (hostName: string) => ({ hostName, certificateAddresses: ['192.168.1.7', '2001:db8::7'] });
const ensure = (atMs = now) => ensureOwnCertificate(folder, names('drop.example'), atMs);

/** Throws unless both files are complete and belong together. */
async function read({ certificate, key }: CertificatePaths): Promise<X509Certificate> {
  const cert = await readFile(certificate);
  createSecureContext({ cert, key: await readFile(key) });
  return new X509Certificate(cert);
}

test('a valid certificate is kept, and replaced a month before it expires', async () => {
  const first = await read(await ensure());
  expect((await read(await ensure(now + 9.5 * yearMs))).serialNumber).toBe(first.serialNumber);
  const later = await read(await ensure(now + 9.98 * yearMs));
  expect(later.serialNumber).not.toBe(first.serialNumber);
  expect(Date.parse(later.validTo)).toBeGreaterThan(now + 19 * yearMs);
});

test('a certificate is for the host name and for each of the addresses', async () => {
  const made = await read(await ensure());
  expect(made.checkHost('drop.example')).toBe('drop.example');
  for (const address of ['192.168.1.7', '2001:db8::7']) expect(made.checkIP(address)).toBe(address);
  expect(made.checkIP('192.168.1.8')).toBeUndefined();
});

const damages: Readonly<Record<string, (paths: CertificatePaths) => Promise<unknown>>> = {
  'has lost its key': ({ key }) => rm(key),
  'has lost its certificate': ({ certificate }) => rm(certificate),
  'is half written': async ({ certificate }) =>
    writeFile(certificate, (await readFile(certificate, 'utf8')).slice(0, 400)),
  // The service was killed after it wrote the first of the two files.
  'has the key of another': async ({ key }) => {
    const other = await mkdtemp(join(tmpdir(), 'lynceus-own-'));
    const made = await ensureOwnCertificate(other, names('other.example'), now);
    await writeFile(key, await readFile(made.key));
    await rm(other, { recursive: true });
  },
  'cannot be read': async ({ certificate }) => {
    await rm(certificate);
    await symlink(certificate, certificate);
  },
  'is next to the temporary files of a killed service': async ({ certificate, key }) => {
    await rm(certificate);
    await writeFile(`${certificate}.new`, '-----BEGIN', { mode: 0o644 });
    await writeFile(`${key}.new`, '-----BEGIN', { mode: 0o644 });
  },
};

test.each(Object.entries(damages))(
  'a certificate that %s is replaced, and only the owner can read the key',
  async (_what, damage) => {
    await damage(await ensure());
    const paths = await ensure();
    expect((await read(paths)).subject).toContain('drop.example');
    expect((await stat(paths.key)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['certificate.pem', 'key.pem']);
  },
);

test('the start fails with the path when the folder is not writable', async () => {
  await mkdir(join(folder, 'key.pem'));
  await expect(ensure()).rejects.toThrow(/key\.pem/);
});
