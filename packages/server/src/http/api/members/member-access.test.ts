import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, enterAs, enterAsAdministrator, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

let service: TestService;
let owner: Browser;
beforeAll(async () => {
  service = await startTestService();
  owner = await enterAsAdministrator(service);
});
afterAll(() => service.stop());

let serial = 0;
async function enter(role: 'owner' | 'member' | 'reader') {
  serial += 1;
  const email = `${role}-${serial}@example.com`;
  const browser = await enterAs(service, service.accountId, role, email);
  const { json } = await browser.call('/api/session');
  return { browser, id: Number(json.user.id), email };
}
async function send(who: Browser, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
  const answer = await who.call(path, { method, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}
const makeKey = (who: Browser, name = 'till') => send(who, 'POST', '/api/keys', { name });
/** What a program with this key is answered. */
const call = async (key: string) =>
  (await fetch(`${service.base}/api/account`, { headers: { 'x-api-key': key } })).status;
const makeKeyBy = async (key: string) => {
  const answer = await fetch(`${service.base}/api/keys`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'successor' }),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
};
const tokenOf = (link: string) => link.split('#')[1] ?? '';
const useLink = async (token: string) =>
  (
    await openBrowser(service).call('/api/links/use', {
      method: 'POST',
      body: { token, name: 'New', password: 'plum-Kettle 7 orbits' },
    })
  ).status;

describe('whoever is removed', () => {
  test('leaves no key that works: theirs are revoked, with their successors, and create none', async () => {
    const { browser, id } = await enter('member');
    const first = await makeKey(browser);
    const second = (await makeKeyBy(first.key)).json;
    const third = (await makeKeyBy(second.key)).json;
    expect(third.created_by).toEqual({ kind: 'key', user_id: id, key_id: second.id, name: null });
    for (const { key } of [first, second, third]) expect(await call(key)).toBe(200);

    const listed = await owner.call(`/api/members/${id}/keys`);
    expect(listed.json.data.map((key: { id: number }) => key.id)).toEqual([first.id, second.id, third.id]);
    const receipt = await send(owner, 'DELETE', `/api/members/${id}`);
    expect(receipt.keys.revoked.map((key: { id: number }) => key.id)).toEqual([
      first.id,
      second.id,
      third.id,
    ]);
    expect(receipt).toMatchObject({
      keys: { kept: [] },
      drop_keys: { revoked: [], kept: [] },
      invitations_withdrawn: 0,
      links_withdrawn: 0,
    });
    for (const { key } of [first, second, third]) {
      expect(await call(key)).toBe(401);
      expect((await makeKeyBy(key)).status).toBe(401);
    }
    expect((await owner.call(`/api/members/${id}/keys`)).status).toBe(404);
  });

  test('leaves keys of others alone, and their own where it is asked for', async () => {
    const { browser, id } = await enter('member');
    const kept = await makeKey(browser);
    const receipt = await send(owner, 'DELETE', `/api/members/${id}?keys=keep`);
    expect(receipt.keys).toEqual({
      revoked: [],
      kept: [{ id: kept.id, prefix: kept.prefix, name: 'till' }],
    });
    expect(await call(kept.key)).toBe(200);
    expect(await call(service.key)).toBe(200);
    // It still says whose it was, and what it creates is theirs.
    const { json } = await owner.call('/api/keys');
    const listed = json.data.find((key: { id: number }) => key.id === kept.id);
    expect(listed.created_by).toEqual({ kind: 'user', user_id: id, key_id: null, name: null });
  });

  test('leaves keys of drops, which the receipt has, unless they shall go too', async () => {
    for (const [query, isKept] of [
      ['', true],
      ['?drop_keys=revoke', false],
    ] as const) {
      const { browser, id } = await enter('member');
      const name = `desk ${id}`;
      const drop = await send(browser, 'POST', '/api/drops', { name });
      const listed = (await owner.call(`/api/members/${id}/keys`)).json.data;
      expect(listed).toMatchObject([{ scope: 'drop', drop: { id: drop.id, name } }]);
      const { keys, drop_keys } = await send(owner, 'DELETE', `/api/members/${id}${query}`);
      expect(keys).toEqual({ revoked: [], kept: [] });
      expect([drop_keys.kept.length, drop_keys.revoked.length]).toEqual(isKept ? [1, 0] : [0, 1]);
      const opened = await service.dropStore.logIn({
        userName: drop.ftp.user_name,
        password: drop.key,
        host: null,
      });
      expect(opened !== null).toBe(isKept);
    }
  });

  test('has their open invitations and links withdrawn', async () => {
    const { browser, id } = await enter('owner');
    const body = { email: 'accomplice@example.com', role: 'owner' };
    const { link } = await send(browser, 'POST', '/api/invitations', body);
    const other = await send(owner, 'POST', '/api/invitations', {
      email: 'wanted@example.com',
      role: 'reader',
    });
    const receipt = await send(owner, 'DELETE', `/api/members/${id}`);
    expect(receipt.invitations_withdrawn).toBe(1);
    expect(await useLink(tokenOf(link))).toBe(404);
    expect(await useLink(tokenOf(other.link))).toBe(201);
  });

  test('as an administrator has the links to other passwords withdrawn, and invitations into other accounts', async () => {
    const { browser, id } = await enter('owner');
    const { query, write } = service.database;
    await write([query.updateTable('web_user').set({ is_administrator: 1 }).where('id', '=', id)]);
    const victim = await enter('member');
    const { link } = await send(browser, 'POST', `/api/admin/users/${victim.id}/reset`);
    const elsewhere = await send(browser, 'POST', '/api/admin/accounts', { name: 'elsewhere' });
    const invited = await send(browser, 'POST', `/api/admin/accounts/${elsewhere.id}/invitations`, {
      email: 'back@example.com',
      role: 'owner',
    });
    const receipt = await send(owner, 'DELETE', `/api/members/${id}`);
    expect([receipt.invitations_withdrawn, receipt.links_withdrawn]).toEqual([1, 1]);
    for (const each of [link, invited.link]) expect(await useLink(tokenOf(each))).toBe(404);
  });

  test('is in the audit log with all that went', async () => {
    const { browser, id } = await enter('owner');
    const key = await makeKey(browser, 'gate');
    await send(browser, 'POST', '/api/invitations', { email: 'gone@example.com', role: 'member' });
    await send(owner, 'DELETE', `/api/members/${id}`);
    const { json } = await owner.call('/api/audit?limit=3');
    const because = { because: 'members.remove', user_id: id };
    expect(json.data).toMatchObject([
      { action: 'invitations.withdraw', subject: { name: 'gone@example.com' }, details: because },
      { action: 'keys.revoke', subject: { id: String(key.id), name: 'gate' }, details: because },
      { action: 'members.remove', details: { keys: 'revoke', drop_keys: 'keep' } },
    ]);
  });
});

describe('whoever may do less', () => {
  test('has keys revoked and invitations withdrawn that the new role may not make', async () => {
    const { browser, id } = await enter('owner');
    const { key } = await makeKey(browser);
    const { link } = await send(browser, 'POST', '/api/invitations', {
      email: 'b@example.com',
      role: 'owner',
    });
    const changed = await send(owner, 'PATCH', `/api/members/${id}`, { role: 'member' });
    expect(changed).toMatchObject({ role: 'member', receipt: { invitations_withdrawn: 1 } });
    expect(changed.receipt.keys.revoked).toHaveLength(1);
    expect([await call(key), await useLink(tokenOf(link))]).toEqual([401, 404]);
    // A member may create keys again, until they only read.
    const again = await makeKey(browser);
    const kept = await send(owner, 'PATCH', `/api/members/${id}`, { role: 'reader', keys: 'keep' });
    expect(kept.receipt.keys.kept).toHaveLength(1);
    expect(await call(again.key)).toBe(200);
  });

  test('keeps all by the same role or a greater one', async () => {
    const { browser, id } = await enter('member');
    const { key } = await makeKey(browser);
    for (const role of ['member', 'owner']) {
      const { receipt } = await send(owner, 'PATCH', `/api/members/${id}`, { role });
      expect(receipt.keys).toEqual({ revoked: [], kept: [] });
    }
    expect(await call(key)).toBe(200);
  });
});

describe('keys that end with no user', () => {
  test('are shown when a user leaves, and revoked where that is chosen', async () => {
    const { accountId } = await service.makeKey('inherited');
    const boss = await enterAs(service, accountId, 'owner', 'boss@inherited.example');
    const member = async (email: string) => {
      const browser = await enterAs(service, accountId, 'member', email);
      return { browser, id: Number((await browser.call('/api/session')).json.user.id) };
    };
    const leaving = await member('leaving@inherited.example');
    const theirs = await makeKey(leaving.browser);
    const left = await member('left@inherited.example');
    const ofLeft = await makeKey(left.browser, 'of who has left');
    await send(boss, 'DELETE', `/api/members/${left.id}?keys=keep`);
    const [unknown, camera] = [
      await makeKey(boss, 'unknown'),
      await send(boss, 'POST', '/api/drops', { name: 'gate' }),
    ];
    const successor = (await makeKeyBy(unknown.key)).json;
    const mine = await makeKey(boss, 'mine');
    const { query, write } = service.database;
    const unknownCreator = { creator_kind: null, creator_user_id: null, creator_key_id: null };
    const dropKey = query.selectFrom('drop_box').select('key_id').where('name', '=', 'gate');
    await write([
      query.updateTable('api_key').set(unknownCreator).where('id', '=', unknown.id),
      query.updateTable('api_key').set(unknownCreator).where('id', 'in', dropKey),
      query.updateTable('api_key').set({ creator_user_id: null }).where('id', '=', successor.id),
    ]);

    const { json } = await boss.call(`/api/members/${leaving.id}/keys`);
    const idsOf = (keys: readonly { readonly id: number }[]) => keys.map(({ id }) => id);
    expect(idsOf(json.data)).toEqual([theirs.id]);
    expect(json.unknown).toMatchObject([
      { name: 'of who has left' },
      { name: 'unknown' },
      { drop: { id: camera.id } },
      { name: 'successor' },
    ]);
    // Shown and kept unless it is chosen: programs of others may use them.
    const demoted = await send(boss, 'PATCH', `/api/members/${leaving.id}`, { role: 'reader' });
    expect(idsOf(demoted.receipt.keys.revoked)).toEqual([theirs.id]);
    expect(demoted.receipt.unknown_keys.revoked).toEqual([]);
    expect(idsOf(demoted.receipt.unknown_keys.kept)).toEqual(idsOf(json.unknown));
    for (const { key } of [ofLeft, unknown, successor]) expect(await call(key)).toBe(200);

    const receipt = await send(boss, 'DELETE', `/api/members/${leaving.id}?unknown_keys=revoke`);
    expect(idsOf(receipt.unknown_keys.revoked)).toEqual(idsOf(json.unknown));
    for (const { key } of [ofLeft, unknown, successor]) expect(await call(key)).toBe(401);
    expect(await call(mine.key)).toBe(200);
  });
});

describe('who created a key', () => {
  test('is shown to owners by name, and to others without', async () => {
    const { browser, id } = await enter('member');
    const { id: keyId } = await makeKey(browser);
    const creatorSeenBy = async (who: Browser) =>
      (await who.call('/api/keys')).json.data.find((key: { id: number }) => key.id === keyId).created_by;
    const by = { kind: 'user', user_id: id, key_id: null };
    expect(await creatorSeenBy(owner)).toEqual({ ...by, name: 'member' });
    expect(await creatorSeenBy(browser)).toEqual({ ...by, name: null });
    const { browser: reader } = await enter('reader');
    expect(await creatorSeenBy(reader)).toEqual({ ...by, name: null });
    // Whose keys are whose is for owners.
    for (const who of [browser, reader]) {
      expect((await who.call(`/api/members/${id}/keys`)).status).toBe(403);
    }
    const first = (await owner.call('/api/keys')).json.data.at(-1);
    expect(first.created_by).toEqual({ kind: 'operator', user_id: null, key_id: null, name: null });
  });

  test('is unknown of keys from before, which stay', async () => {
    const { query, write } = service.database;
    await write([query.updateTable('api_key').set({ creator_kind: null }).where('id', '=', service.keyId)]);
    const { json } = await owner.call('/api/keys');
    expect(json.data.at(-1).created_by.kind).toBe('unknown');
    expect(await call(service.key)).toBe(200);
  });
});

describe('at the same moment as a removal', () => {
  test('no key and no invitation is created that outlives it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { browser, id } = await enter('owner');
      const { key } = await makeKey(browser);
      const keys = Array.from({ length: 6 }, async () => {
        const answer = await browser.call('/api/keys', { method: 'POST', body: { name: 'late' } });
        return answer.status === 201 ? String(answer.json.key) : null;
      });
      const successors = Array.from({ length: 6 }, async () => {
        const { status, json } = await makeKeyBy(key);
        return status === 201 ? String(json.key) : null;
      });
      const links = Array.from({ length: 4 }, async (_, index) => {
        const body = { email: `late-${round}-${index}@example.com`, role: 'owner' };
        const answer = await browser.call('/api/invitations', { method: 'POST', body });
        return answer.status === 201 ? tokenOf(answer.json.link) : null;
      });
      const removal = send(owner, 'DELETE', `/api/members/${id}`);
      const [made, linked] = await Promise.all([Promise.all([...keys, ...successors]), Promise.all(links)]);
      await removal;
      for (const each of made) if (each !== null) expect(await call(each)).toBe(401);
      for (const each of linked) if (each !== null) expect(await useLink(each)).toBe(404);
      const left = await service.database.query
        .selectFrom('api_key')
        .select('id')
        .where('creator_user_id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      expect(left).toEqual([]);
    }
  });
});
