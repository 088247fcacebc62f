import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStoredFaces, type StoredFaces } from './fixtures/stored-faces.js';

let faces: StoredFaces;
let account: number;
let other: number;
let staff: number;
beforeAll(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
  other = await faces.makeAccount('two');
  staff = (await faces.perceptions.create(account, { name: 'staff' })).id;
  await faces.perceptions.create(other, { name: 'staff' });
});
afterAll(() => faces.close());

describe('people', () => {
  test('count up from 1001 over all perceptions of an account', async () => {
    const guests = await faces.perceptions.create(account, { name: 'guests' });
    const ada = await faces.people.create(account, staff, { name: 'Ada' });
    const bob = await faces.people.create(account, guests.id, { name: 'Bob' });
    expect([ada.id, bob.id]).toEqual([1001, 1002]);
    expect((await faces.people.create(other, 1001, { name: 'Ada' })).id).toBe(1001);
  });

  test('may share a name, but not a key id in one perception', async () => {
    await faces.people.create(account, staff, { name: 'Twin', keyId: 'k1' });
    await faces.people.create(account, staff, { name: 'Twin', keyId: 'k2' });
    const again = faces.people.create(account, staff, { name: 'Else', keyId: 'k1' });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect(await faces.people.findByKeyId(account, staff, 'k2')).toMatchObject({ name: 'Twin' });
    expect(await faces.people.findByKeyId(other, staff, 'k2')).toBeNull();
  });

  test.each([
    ['lovelace', ['Ada Lovelace']],
    ['ÜNAL', ['Ünal Öz']],
    ['100%', ['100% sure']],
    ['a_b', ['key with a_b']],
    ['!', ['Hey! You']],
    ['nobody', []],
  ])('are searched by a part of the name or key id: %s', async (search, wanted) => {
    const { id } = await faces.perceptions.create(account, { name: 'searched' });
    for (const name of ['Ada Lovelace', 'Ünal Öz', '100% sure', '100 is', 'Hey! You', 'aXb']) {
      await faces.people.create(account, id, { name });
    }
    await faces.people.create(account, id, { name: 'key with a_b', keyId: 'X_a_b' });
    const { items } = await faces.people.list(account, id, { search }, { limit: 10, after: undefined });
    expect(items.map(({ name }) => name)).toEqual(wanted);
  });

  test('tell how many images they have, and are renamed', async () => {
    const person = await faces.people.create(account, staff, { name: 'Before', keyId: 'renamed' });
    await faces.addImage(account, person);
    await faces.addImage(account, person);
    const changed = await faces.people.change(account, person.id, { name: 'After' });
    expect(changed).toMatchObject({ name: 'After', keyId: 'renamed', images: 2 });
    expect(await faces.people.change(account, person.id, { keyId: null })).toMatchObject({ keyId: null });
    const found = await faces.people.list(
      account,
      staff,
      { search: 'after' },
      { limit: 5, after: undefined },
    );
    expect(found.items.map(({ id }) => id)).toEqual([person.id]);
  });

  test('of another account are as people that there are not', async () => {
    const mine = await faces.people.create(account, staff, { name: 'Mine' });
    const read = (accountId: number, id: number) =>
      faces.people.read(accountId, id).catch((error: Error) => error.message);
    expect(await read(other, mine.id)).toBe(`person ${mine.id} is not one of your people`);
    expect(await faces.people.find(other, mine.id)).toBeNull();
    await expect(faces.people.change(other, mine.id, { name: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await faces.people.named(other, [mine.id])).size).toBe(0);
    expect((await faces.people.named(account, [mine.id, 999_999])).get(mine.id)?.name).toBe('Mine');
  });
});
