import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import { putKeyCheck } from '../../storage/secrets/key-check.js';
import type { KeyRing } from '../../storage/secrets/key-ring.js';
import { resealValues } from '../../storage/secrets/reseal.js';
import { connectRaw } from './fixtures/raw-client.js';
import { startTestFtp } from './fixtures/test-ftp.js';
import { ensureOwnCertificate } from './own-certificate.js';
import { createSharedCertificate } from './shared-certificate.js';
import type { CertificatePaths } from './tls.js';

const storages = useTwoStorages();
const yearMs = 365 * 86_400_000;
const [old, next] = [randomBytes(32), randomBytes(32)];
let dir: string;
let now: number;
beforeEach(async () => {
  now = Date.now();
  dir = await mkdtemp(join(tmpdir(), 'lynceus-shared-'));
  const { database } = storages()[0];
  await database.write([database.query.deleteFrom('ftp_certificate'), putKeyCheck(database, old)]);
  return () => rm(dir, { recursive: true });
});
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** One service, on a connection and a data folder of its own. */
function serviceOn(connection: 0 | 1, name: string, keys: KeyRing = [old]) {
  const { database } = storages()[connection];
  const { withSharedLock } = createProcessLeases({ database, folderUid: name, isAlone: false });
  return createSharedCertificate({
    ...{
      database,
      withSharedLock,
      folder: join(dir, name),
      hostName: `${name}.example`,
      certificateAddresses: [],
    },
    keys: async () => keys,
    clock: () => now,
  });
}
/** Throws unless the files are whole and belong together. */
async function read({ certificate, key }: CertificatePaths): Promise<X509Certificate> {
  const cert = await readFile(certificate);
  createSecureContext({ cert, key: await readFile(key) });
  return new X509Certificate(cert);
}
const fingerprintOf = async (paths: CertificatePaths) => (await read(paths)).fingerprint256;
const sealed = async () => {
  const { query } = storages()[0].database;
  return (await query.selectFrom('ftp_certificate').select('sealed').executeTakeFirst())?.sealed ?? '';
};

const named = (hostName: string) => ({ hostName, certificateAddresses: [] });

test('services that start at once have one certificate, each with a copy that only its user can read', async () => {
  const paths = await Promise.all([serviceOn(0, 'one')(), serviceOn(1, 'two')(), serviceOn(0, 'three')()]);
  const fingerprints = await Promise.all(paths.map(fingerprintOf));
  expect(new Set(fingerprints).size).toBe(1);
  for (const { key } of paths) expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect(Buffer.from((await sealed()).slice(3), 'base64url').toString('latin1')).not.toMatch(/KEY|CERT/);
});

test('the certificate of the first data folder is adopted, and takes the place of those of others', async () => {
  const before = await fingerprintOf(await ensureOwnCertificate(join(dir, 'one'), named('old.example'), now));
  await ensureOwnCertificate(join(dir, 'two'), named('other.example'), now);
  expect(await fingerprintOf(await serviceOn(0, 'one')())).toBe(before);
  expect(await fingerprintOf(await serviceOn(1, 'two')())).toBe(before);
});

test('it is replaced once, a month before it expires, and by all', async () => {
  const [one, two] = [serviceOn(0, 'one'), serviceOn(1, 'two')];
  const first = await fingerprintOf(await one());
  now += 9.98 * yearMs;
  const [later, again] = (await Promise.all([one(), two()])).map(fingerprintOf);
  expect(await later).not.toBe(first);
  expect(await again).toBe(await later);
});

test('one that no key opens gives way to that of the data folder, and only by a service with the key of the database', async () => {
  const first = await fingerprintOf(await serviceOn(0, 'one')());
  const { database } = storages()[0];
  await expect(serviceOn(1, 'stranger', [next])()).rejects.toMatchObject({ code: 'wrong-key' });
  await database.write([putKeyCheck(database, next)]);
  expect(await fingerprintOf(await serviceOn(1, 'one', [next])())).toBe(first);
  expect(await fingerprintOf(await serviceOn(0, 'two', [next])())).toBe(first);
});

test('it is sealed again with the key that takes the place of the first', async () => {
  const first = await fingerprintOf(await serviceOn(0, 'one')());
  const { database } = storages()[0];
  await database.write([putKeyCheck(database, next)]);
  const settings = {
    ...{ secretKey: next.toString('base64'), secretKeyFile: '' },
    acceptedSecretKeys: old.toString('base64'),
  };
  const folder = { installationKeyPath: '/nowhere/secret-key' };
  expect(await resealValues({ database, folder, settings, aliveSince: now })).toEqual({
    resealed: 1,
    lost: 0,
  });
  expect(await fingerprintOf(await serviceOn(1, 'two', [next])())).toBe(first);
});

test('FTP servers show it, and what another one put in its place without a restart', async () => {
  const started = async (connection: 0 | 1, name: string) => {
    const ftp = await startTestFtp({
      certificateDir: join(dir, name),
      bringCertificate: serviceOn(connection, name),
      limits: { certificateCheckMs: 20 },
      database: storages()[connection].database,
    });
    closers.push(() => ftp.stop());
    return ftp;
  };
  const shownBy = async ({ port }: { readonly port: number }) => {
    const client = await connectRaw(port);
    try {
      await client.beginTls();
      const { socket } = client;
      return socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : '';
    } finally {
      client.close();
    }
  };
  const [one, two] = [await started(0, 'one'), await started(1, 'two')];
  const first = await shownBy(one);
  expect(await shownBy(two)).toBe(first);
  now += 9.98 * yearMs;
  await vi.waitUntil(async () => (await shownBy(one)) !== first, { timeout: 60_000 });
  const later = await shownBy(one);
  await vi.waitUntil(async () => (await shownBy(two)) === later, { timeout: 60_000 });
});
