import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from './main.js';
import { operator, withPeople } from './with-people.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-users-'));
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

test('users link --first lets the administrator in, --email sets another password, remove takes somebody out', async () => {
  await lynceus('accounts', 'create', 'house');
  const { printed } = await lynceus('users', 'link', '--first');
  expect(printed).toMatch(/^https:\/\/vision\.example\/welcome#[A-Za-z0-9_-]{43}$/);
  const use = (link: string, password: string) =>
    withPeople(contextOf(), (people) =>
      people.useLink(
        { token: link.split('#')[1] ?? '', email: 'root@example.com', name: 'Root', password },
        { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined },
        undefined,
      ),
    );
  await use(printed, 'plum-Kettle 7 orbits');
  const again = await lynceus('users', 'link', '--first');
  expect([again.code, again.noted]).toEqual([1, expect.stringContaining('administrator already')]);
  expect((await lynceus('users', 'list')).printed).toMatch(
    /root@example\.com +Root +house +owner, administrator +no/,
  );
  const reset = await lynceus('users', 'link', '--email', 'ROOT@example.com');
  await use(reset.printed, 'another-Bucket 9 comets');
  expect((await lynceus('users', 'link', '--email', 'nobody@example.com')).code).toBe(1);
  expect((await lynceus('users', 'link')).code).toBe(1);
  // The last administrator stays, until there is another.
  expect((await lynceus('users', 'remove', 'root@example.com')).noted).toContain('last owner');
  await withPeople(contextOf(), async (people) => {
    const { token } = await people.invitations.make(1, operator, { email: 'b@example.com', role: 'reader' });
    await people.useLink(
      { token, name: 'B', password: 'plum-Kettle 7 orbits' },
      { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined },
      undefined,
    );
  });
  expect((await lynceus('users', 'remove', 'B@example.com')).code).toBe(0);
  expect((await lynceus('users', 'list', '--json')).printed).not.toContain('b@example.com');
});
