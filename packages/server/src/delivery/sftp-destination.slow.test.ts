import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readableKeyPair } from '../drops/sftp/readable-key-pair.js';
import { createDestination } from './create-destination.js';
import type { DestinationDeps } from './destination.js';
import type { DestinationSettings } from './destination-settings.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { emptyFolder, lookInto } from './fixtures/folder-remote-server.js';
import { haveServer } from './fixtures/have-server.js';
import { remoteFolderContract } from './fixtures/remote-folder-contract.js';
import { type StartedSshd, sshdPath, startSshd } from './fixtures/sshd.js';

const { Server, utils } = ssh2;
const isHere = haveServer(sshdPath, 'openssh-server');
const maybe = test.skipIf(!isHere);

let scratch: string;
let root: string;
let server: StartedSshd;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sftp-destination-'));
  root = join(scratch, 'root');
  await mkdir(root);
  if (isHere) server = await startSshd(join(scratch, 'server'), root);
});
beforeEach(() => emptyFolder(root));
afterAll(async () => {
  await server?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const settings = () => ({
  kind: 'sftp' as const,
  host: '127.0.0.1',
  port: server.port,
  user: server.user,
  hostKey: server.fingerprint,
  folder: root,
});
const secrets = () => ({ privateKey: server.privateKey });

remoteFolderContract(isHere, () => ({
  scratch,
  remote: {
    settings: settings(),
    secrets: secrets(),
    port: server.port,
    reachAt: (port) => ({ port }),
    ...lookInto(root),
  },
}));

maybe('a key with a passphrase logs in, and a missing passphrase is reported', async () => {
  const { lockedPrivateKey: privateKey, passphrase } = server;
  await createDestination(settings(), { privateKey, passphrase }, makeDeps()).test(calm);
  const locked = createDestination(settings(), { privateKey }, makeDeps());
  await expect(locked.test(calm)).rejects.toMatchObject({
    code: 'settings',
    message: 'private_key needs its passphrase',
  });
  const wrong = createDestination(settings(), { privateKey, passphrase: 'not this one' }, makeDeps());
  await expect(wrong.test(calm)).rejects.toMatchObject({ code: 'credentials' });
});

maybe('the first host key is stored, and a different one is rejected', async () => {
  const { hostKey: _, ...unpinned } = settings();
  const kept: string[] = [];
  const deps: Partial<DestinationDeps> = {
    keepHostKey: (fingerprint) => {
      kept.push(fingerprint);
      return Promise.resolve();
    },
  };
  const destination = createDestination(unpinned, secrets(), makeDeps(deps));
  await destination.test(calm);
  await destination.test(calm);
  expect(kept).toEqual([server.fingerprint]);

  const other = await startSshd(join(scratch, 'server'), root, 'another-host-key');
  try {
    const moved = createDestination({ ...settings(), port: other.port }, secrets(), makeDeps());
    const refused = moved.test(calm);
    await expect(refused).rejects.toMatchObject({ code: 'identity' });
    await expect(refused).rejects.toThrow(other.fingerprint);
  } finally {
    await other.stop();
  }
});

maybe('nothing is sent to a host whose key could not be stored', async () => {
  const { hostKey: _, ...unpinned } = settings();
  const deps = makeDeps({ keepHostKey: () => Promise.reject(new Error('the database is away')) });
  await expect(createDestination(unpinned, secrets(), deps).test(calm)).rejects.toThrow(
    'the database is away',
  );
});

maybe('a wrong password is reported without its text', async () => {
  const destination = createDestination(settings(), { password: 'wrong-password' }, makeDeps());
  await expect(destination.test(calm)).rejects.toMatchObject({ code: 'credentials' });
  await expect(destination.test(calm)).rejects.not.toThrow('wrong-password');
});

test('a password is sent on request, and a server without SFTP is reported', async () => {
  const asked: unknown[] = [];
  const { private: key } = await readableKeyPair(() => utils.generateKeyPairSync('ed25519'));
  const plain = new Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (context.method === 'password') asked.push(context.password);
      if (context.method === 'password' && context.password === 'right-word') context.accept();
      else context.reject(['password']);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => plain.once('listening', resolve));
  try {
    const address = plain.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const there: DestinationSettings = { kind: 'sftp', host: '127.0.0.1', port, user: 'desk' };
    await expect(
      createDestination(there, { password: 'right-word' }, makeDeps()).test(calm),
    ).rejects.toMatchObject({
      code: 'refused',
    });
    await expect(
      createDestination(there, { password: 'wrong-word' }, makeDeps()).test(calm),
    ).rejects.toMatchObject({
      code: 'credentials',
    });
    expect(asked).toEqual(['right-word', 'wrong-word']);
  } finally {
    plain.close();
  }
});

test('a server that never answers times out', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const limits = { connectTimeoutMs: 300, stallTimeoutMs: 300, wholeTimeoutMs: 5000 };
  const there: DestinationSettings = { kind: 'sftp', host: '127.0.0.1', port, user: 'desk' };
  const destination = createDestination(there, { password: 'a-password' }, makeDeps({ limits }));
  await expect(destination.test(calm)).rejects.toMatchObject({ code: 'unreachable' });
  silent.close();
});

maybe('a full disk is reported as full', async (context) => {
  const small = join(scratch, 'small');
  await mkdir(small, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]).status !== 0) {
    console.warn('skipped: a small disk cannot be mounted here');
    context.skip();
  }
  try {
    const delivery = await makeDelivery(scratch, { 'a.jpg': 'x'.repeat(1024 * 1024) });
    const destination = createDestination({ ...settings(), folder: small }, secrets(), makeDeps());
    await expect(destination.deliver(delivery, calm)).rejects.toMatchObject({ code: 'full' });
    expect(await lookInto(small).readAll()).toEqual({});
  } finally {
    spawnSync('umount', ['-l', small]);
  }
});
