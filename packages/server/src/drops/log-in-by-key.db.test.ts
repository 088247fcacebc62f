import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOperator } from '../accounts/creator.js';
import { openWorkingDrop, type WorkingDrop } from './fixtures/working-drop.js';
import { readableKeyPair } from './sftp/readable-key-pair.js';

let service: WorkingDrop;
beforeAll(async () => {
  service = await openWorkingDrop();
});
afterAll(() => service.close());

const { generateKeyPairSync, parseKey } = ssh2.utils;
async function makeKey() {
  const { public: line } = await readableKeyPair(() => generateKeyPairSync('ed25519'));
  const parsed = parseKey(line);
  if (parsed instanceof Error) throw parsed;
  return { line, blob: parsed.getPublicSSH() };
}

test('a public key opens the drop that names it and no other, until it is removed or the drop loses its own key', async () => {
  const [one, two] = [await makeKey(), await makeKey()];
  const { drop } = await service.makeDrop({ settings: { authorizedKeys: [one.line] } });
  const other = await service.makeDrop({ settings: { authorizedKeys: [two.line] } });
  const { logInByKey, drops } = service.store;
  const enter = (userName: string, publicKey: Buffer) => logInByKey({ userName, publicKey });
  expect(await enter(drop.userName, two.blob)).toBeNull();
  expect(await enter(other.drop.userName, one.blob)).toBeNull();
  expect(await enter('nobody', one.blob)).toBeNull();
  const session = await enter(` ${drop.userName.toUpperCase()}`, one.blob);
  expect(session).toMatchObject({ accountId: service.accountId, dropId: drop.id });
  expect(await session?.isOpen()).toBe(true);

  // Another key of the drop changes nothing for those who log in by a public one.
  await drops.renewKey(service.accountId, drop.id, byOperator);
  expect(await session?.isOpen()).toBe(true);
  await drops.change(service.accountId, drop.id, { settings: { authorizedKeys: [two.line] } });
  expect(await session?.isOpen()).toBe(false);
  expect(await enter(drop.userName, one.blob)).toBeNull();

  const later = await enter(drop.userName, two.blob);
  const { keyId } = await drops.read(service.accountId, drop.id);
  await service.accounts.ownKeys.revoke(service.accountId, keyId, { force: true });
  expect(await later?.isOpen()).toBe(false);
  expect(await enter(drop.userName, two.blob)).toBeNull();
});

test('what is no public key is refused, and named by its place', async () => {
  const wanted = { settings: { authorizedKeys: [(await makeKey()).line, 'ssh-ed25519 AAAA'] } };
  await expect(service.makeDrop(wanted)).rejects.toThrow(/^settings\.authorized_keys\[1\] must be/);
});
