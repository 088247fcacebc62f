import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import { type MadeCertificate, makeCertificate } from './fixtures/certificate.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { emptyFolder, lookInto } from './fixtures/folder-remote-server.js';
import { haveServer } from './fixtures/have-server.js';
import { remoteFolderContract } from './fixtures/remote-folder-contract.js';
import type { StartedProgram } from './fixtures/started-program.js';
import { ftpPassword, ftpUser, startVsftpd, vsftpdPath } from './fixtures/vsftpd.js';

const isHere = haveServer(vsftpdPath, 'vsftpd') && haveServer('/usr/bin/openssl', 'openssl');
const maybe = test.skipIf(!isHere);

let scratch: string;
let root: string;
let certificate: MadeCertificate;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'ftp-destination-'));
  root = join(scratch, 'root');
  await mkdir(root);
  if (isHere) certificate = makeCertificate(scratch, 'ftp.example');
});
beforeEach(() => emptyFolder(root));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const login = { host: '127.0.0.1', user: ftpUser };
const secrets = { password: ftpPassword };

describe('FTP', () => {
  let server: StartedProgram;
  beforeAll(async () => {
    if (isHere) server = await startVsftpd({ root, ownFolder: join(scratch, 'plain') });
  });
  afterAll(() => server?.stop());
  const settings = () => ({ kind: 'ftp' as const, ...login, port: server.port });

  remoteFolderContract(isHere, () => ({
    scratch,
    remote: {
      settings: settings(),
      secrets,
      port: server.port,
      reachAt: (port) => ({ port }),
      ...lookInto(root),
    },
  }));

  maybe('a wrong password is reported without its text', async () => {
    const destination = createDestination(settings(), { password: 'wrong-password' }, makeDeps());
    const refused = destination.test(calm);
    await expect(refused).rejects.toMatchObject({ code: 'credentials' });
    await expect(refused).rejects.not.toThrow('wrong-password');
  });

  maybe('a private address is rejected unless the operator allows its network', async () => {
    const destination = createDestination(settings(), secrets, makeDeps({ allowedNetworks: [] }));
    await expect(destination.test(calm)).rejects.toMatchObject({ code: 'not-allowed' });
  });

  maybe('a folder without write permission is reported', async () => {
    const destination = createDestination({ ...settings(), folder: '/proc' }, secrets, makeDeps());
    await expect(destination.test(calm)).rejects.toMatchObject({ code: 'refused' });
  });
});

describe.each(['explicit', 'implicit'] as const)('FTPS, %s', (mode) => {
  let server: StartedProgram;
  beforeAll(async () => {
    if (isHere)
      server = await startVsftpd({ root, ownFolder: join(scratch, mode), tls: { mode, certificate } });
  });
  afterAll(() => server?.stop());
  const settings = () => ({ kind: 'ftps' as const, tls: mode, ...login, port: server.port });

  remoteFolderContract(isHere, () => ({
    scratch,
    remote: {
      settings: { ...settings(), certificate: certificate.certificate },
      secrets,
      port: server.port,
      reachAt: (port) => ({ port }),
      ...lookInto(root),
    },
  }));

  maybe('a certificate of an unknown issuer is rejected before the password is sent', async () => {
    const destination = createDestination(settings(), secrets, makeDeps());
    await expect(destination.test(calm)).rejects.toMatchObject({ code: 'identity' });
  });

  maybe('a server whose certificate differs from the configured one is rejected', async () => {
    const other = makeCertificate(scratch, `other-${mode}`);
    const destination = createDestination(
      { ...settings(), certificate: other.certificate },
      secrets,
      makeDeps(),
    );
    await expect(destination.test(calm)).rejects.toMatchObject({ code: 'identity' });
  });

  maybe('connects to the checked address', async () => {
    const named = { ...settings(), host: 'images.example', certificate: certificate.certificate };
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
    await createDestination(named, secrets, makeDeps({ resolve })).deliver(delivery, calm);
    expect(await lookInto(root).readAll()).toEqual({ 'a.jpg': 'image' });
  });
});
