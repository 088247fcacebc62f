import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerceptions } from '../../faces/perceptions.js';
import { openStoredModels, type StoredModels } from './fixtures/stored-models.js';

let stored: StoredModels;
let account: number;
let other: number;
beforeAll(async () => {
  stored = await openStoredModels();
  account = await stored.makeAccount('one');
  other = await stored.makeAccount('two');
});
afterAll(() => stored.close());

const animals = { name: ' Animals ', description: ' of the\nzoo ', task: 'classification' } as const;

test('models count up with perceptions, for v1 calls both model_id', async () => {
  const { database } = stored;
  const perceptions = createPerceptions({ database, clock: Date.now, embedder: 'test@1' });
  const first = await stored.models.create(account, animals);
  expect(first).toMatchObject({ id: 1001, name: 'Animals', description: 'of the\nzoo', version: null });
  expect((await perceptions.create(account, { name: 'staff' })).id).toBe(1002);
  expect((await stored.models.create(account, animals)).id).toBe(1003);
  expect(await stored.models.find(account, '1002')).toBeNull();
});

test('models are found by number and UID, by their own account alone', async () => {
  const { find, read } = stored.models;
  const made = await stored.models.create(account, animals);
  expect(await find(account, String(made.id))).toEqual(made);
  expect(await find(account, ` ${made.uid} `)).toEqual(made);
  for (const reference of [made.uid, String(made.id)]) expect(await find(other, reference)).toBeNull();
  for (const reference of ['', 'x', '0', '-1', '1e3', '9'.repeat(20), 'a\0b', '\ud800']) {
    expect(await find(account, reference)).toBeNull();
  }
  await expect(read(other, made.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('name and description change, and nothing else', async () => {
  const { change } = stored.models;
  const made = await stored.models.create(account, animals);
  expect(await change(account, made.id, { name: 'Zoo' })).toEqual({ ...made, name: 'Zoo' });
  expect(await change(account, made.id, {})).toEqual({ ...made, name: 'Zoo' });
  await expect(change(other, made.id, { name: 'Eve' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(change(account, made.id, { name: ' ' })).rejects.toThrow(/1 to 200/);
  await expect(change(account, made.id, { description: 'a\0b' })).rejects.toThrow(/control characters/);
  await expect(change(account, made.id, { description: 'a'.repeat(2001) })).rejects.toThrow(/2000/);
});

test('models list in pages, the newest first', async () => {
  const third = await stored.makeAccount('three');
  for (const name of ['a', 'b', 'c']) await stored.models.create(third, { ...animals, name });
  const first = await stored.models.list(third, { limit: 2, after: undefined });
  expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
  const rest = await stored.models.list(third, { limit: 2, after: first.next ?? undefined });
  expect([rest.items.map(({ name }) => name), rest.next]).toEqual([['a'], null]);
});
