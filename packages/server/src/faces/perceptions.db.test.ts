import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStoredFaces, type StoredFaces } from './fixtures/stored-faces.js';

let faces: StoredFaces;
let account: number;
let other: number;
beforeAll(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
  other = await faces.makeAccount('two');
});
afterAll(() => faces.close());

describe('perceptions', () => {
  test('count up from 1001 in each account, also when many are made at once', async () => {
    const make = (accountId: number, name: string) => faces.perceptions.create(accountId, { name });
    const made = await Promise.all(Array.from({ length: 8 }, (_, at) => make(account, `p${at}`)));
    expect(made.map(({ id }) => id).sort()).toEqual([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008]);
    expect((await make(other, 'p0')).id).toBe(1001);
  });

  test('are found by number and by UID, by their own account alone', async () => {
    const { find } = faces.perceptions;
    const made = await faces.perceptions.create(account, { name: ' Staff ' });
    expect(made).toMatchObject({ name: 'Staff', decisionSimilarity: 0.5, wantsLiveness: false });
    expect(await find(account, String(made.id))).toEqual(made);
    expect(await find(account, ` ${made.uid} `)).toEqual(made);
    for (const reference of [made.uid, String(made.id)]) expect(await find(other, reference)).toBeNull();
    for (const reference of ['', 'x', '0', '-1', '1e3', '99999999999999999999', 'a\0b', '\ud800']) {
      expect(await find(account, reference)).toBeNull();
    }
  });

  test('keep a calibration for the embedder it was measured with, which rests while another one is in use', async () => {
    const { calibrate, create, read } = faces.perceptions;
    const made = await create(account, { name: 'Measured' });
    const curve = { midpoint: 0.4, slope: 9 };
    expect((await calibrate(account, made, curve)).calibration).toEqual(curve);
    const use = (embedder: string) =>
      faces.database.write([
        faces.database.query
          .updateTable('perception')
          .set({ embedder })
          .where('account_id', '=', account)
          .where('id', '=', made.id),
      ]);
    await use('other@1');
    expect((await read(account, made.id)).calibration).toBeNull();
    // One that was measured before the change comes too late to count.
    expect((await calibrate(account, made, curve)).calibration).toBeNull();
    await use(made.embedder);
    expect((await read(account, made.id)).calibration).toEqual(curve);
    expect((await calibrate(account, made, null)).calibration).toBeNull();
  });

  test('change what is to change and nothing else', async () => {
    const { id } = await faces.perceptions.create(account, { name: 'Guests', wantsLiveness: true });
    const changed = await faces.perceptions.change(account, id, {
      decisionSimilarity: 0.7,
      refusedProblems: ['blurred'],
    });
    expect(changed).toMatchObject({
      name: 'Guests',
      wantsLiveness: true,
      decisionSimilarity: 0.7,
      refusedProblems: ['blurred'],
    });
    expect(await faces.perceptions.change(account, id, {})).toEqual(changed);
    await expect(faces.perceptions.change(other, id, { name: 'mine' })).rejects.toMatchObject({
      code: 'invalid_model',
    });
    await expect(faces.perceptions.change(account, id, { name: ' ' })).rejects.toThrow(/1 to 200/);
    const calibration = { midpoint: 0.4, slope: 20 };
    expect(await faces.perceptions.calibrate(account, changed, calibration)).toMatchObject({ calibration });
    expect(await faces.perceptions.calibrate(account, changed, null)).toMatchObject({ calibration: null });
  });

  test('list in pages, and name faces where they are marked for it', async () => {
    const third = await faces.makeAccount('three');
    for (const name of ['a', 'b', 'c']) {
      await faces.perceptions.create(third, { name, namesRecognition: name !== 'b' });
    }
    const first = await faces.perceptions.list(third, { limit: 2, after: undefined });
    expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
    const rest = await faces.perceptions.list(third, { limit: 2, after: first.next ?? undefined });
    expect([rest.items.map(({ name }) => name), rest.next]).toEqual([['a'], null]);
    expect((await faces.perceptions.naming(third)).map(({ name }) => name)).toEqual(['a', 'c']);
  });
});
