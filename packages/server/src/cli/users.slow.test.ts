import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';
import { operator, withServices, withUsers } from './with-domain.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-users-'));
  await startOnce(join(folder, 'data'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const contextOf = () => {
  const printed: string[] = [];
  const noted: string[] = [];
  return {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data'), LYNCEUS_PUBLIC_ADDRESS: 'https://vision.example/' },
    cwd: folder,
    print: (text: string) => printed.push(text),
    note: (text: string) => noted.push(text),
    printed,
    noted,
  };
};
async function lynceus(...words: string[]) {
  const context = contextOf();
  const code = await runCommandLine(words, context);
  return { code, printed: context.printed.join('\n'), noted: context.noted.join('\n') };
}

const slow = { timeout: 300_000 };

test(
  'users link --first lets the administrator in, --email sets another password, remove removes a user',
  slow,
  async () => {
    await lynceus('accounts', 'create', 'house');
    const { printed } = await lynceus('users', 'link', '--first');
    expect(printed).toMatch(/^https:\/\/vision\.example\/welcome#[A-Za-z0-9_-]{43}$/);
    const use = (link: string, password: string) =>
      withUsers(contextOf(), (opened) =>
        opened.useLink(
          { token: link.split('#')[1] ?? '', email: 'root@example.com', name: 'Root', password },
          { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined },
          undefined,
        ),
      );
    await use(printed, 'plum-Kettle 7 orbits');
    const again = await lynceus('users', 'link', '--first');
    expect([again.code, again.noted]).toEqual([1, expect.stringContaining('already is an administrator')]);
    expect((await lynceus('users', 'list')).printed).toMatch(
      /root@example\.com +Root +house +owner, administrator +no/,
    );
    const reset = await lynceus('users', 'link', '--email', 'ROOT@example.com');
    await use(reset.printed, 'another-Bucket 9 comets');
    expect((await lynceus('users', 'link', '--email', 'nobody@example.com')).code).toBe(1);
    expect((await lynceus('users', 'link')).code).toBe(1);
    // The last administrator stays, until there is another.
    expect((await lynceus('users', 'remove', 'root@example.com')).noted).toContain('last owner');
    await withUsers(contextOf(), async (opened) => {
      const { token } = await opened.invitations.make(1, operator, {
        email: 'b@example.com',
        role: 'reader',
      });
      await opened.useLink(
        { token, name: 'B', password: 'plum-Kettle 7 orbits' },
        { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined },
        undefined,
      );
    });
    expect((await lynceus('users', 'remove', 'B@example.com')).code).toBe(0);
    expect((await lynceus('users', 'list', '--json')).printed).not.toContain('b@example.com');
  },
);

test('users keys lists what a user created, and users remove reports what happened to it', slow, async () => {
  await lynceus('accounts', 'create', 'house');
  await withUsers(contextOf(), async (opened) => {
    const { token } = await opened.invitations.make(1, operator, { email: 'a@example.com', role: 'owner' });
    const guest = await opened.invitations.make(1, operator, { email: 'b@example.com', role: 'member' });
    for (const [name, each] of Object.entries({ A: token, B: guest.token })) {
      await opened.useLink(
        { token: each, name, password: 'plum-Kettle 7 orbits' },
        { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined },
        undefined,
      );
    }
  });
  const users = JSON.parse((await lynceus('users', 'list', '--json')).printed);
  const { id } = users.find(({ email }: { email: string }) => email === 'b@example.com');
  await withServices(contextOf(), async ({ accounts: { ownKeys } }) => {
    const creator = { kind: 'user', id } as const;
    await ownKeys.create(1, { name: 'till of B', expiresAt: null, creator });
    await ownKeys.create(1, { name: 'drop of B', expiresAt: null, creator, scope: 'drop' });
  });
  expect((await lynceus('users', 'keys', 'b@example.com')).printed).toMatch(/till of B .*drop of B /s);
  expect((await lynceus('keys', 'list')).printed).toContain('b@example.com');
  const removed = await lynceus('users', 'remove', 'B@example.com');
  expect([removed.code, removed.printed]).toEqual([
    0,
    expect.stringMatching(/Keys revoked: \d+ "till of B" .*Keys of drops kept .*"drop of B"/s),
  ]);
});
