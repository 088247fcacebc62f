import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaff, type Staff } from './fixtures/staff.js';
import { dimensions, embedder } from './fixtures/stored-faces.js';
import { vectorOf } from './index/fixtures/vectors.js';

let faces: Staff['faces'];
let account: Staff['account'];
let staff: Staff['staff'];
let ada: Staff['ada'];
let bob: Staff['bob'];
let nearest: Staff['nearest'];
beforeEach(async () => {
  ({ faces, account, staff, ada, bob, nearest } = await openStaff());
});
afterEach(() => faces.close());

describe('merging', () => {
  test('takes images, corrections and key id over, and the person is gone', async () => {
    await faces.addImage(account, ada);
    await faces.addImage(account, bob);
    await faces.corrections.add(account, bob.id, embedder, vectorOf(9, dimensions));
    expect(await nearest(2)).toBe(bob.id);
    const merged = await faces.regrouping.merge(account, bob.id, ada.id);
    expect(merged).toMatchObject({ id: ada.id, name: 'Ada', keyId: 'b1', images: 2 });
    expect(await nearest(2)).toBe(ada.id);
    expect(await faces.people.find(account, bob.id)).toBeNull();
    expect((await faces.people.findByKeyId(account, staff.id, 'b1'))?.id).toBe(ada.id);
    expect((await faces.corrections.of(account, embedder, [ada.id])).get(ada.id)).toHaveLength(1);
    const found = await faces.people.list(
      account,
      staff.id,
      { search: 'B1' },
      { limit: 5, after: undefined },
    );
    expect(found.items.map(({ id }) => id)).toEqual([ada.id]);
  });

  test('is refused where both have a key id, and changes nothing', async () => {
    const cleo = await faces.people.create(account, staff.id, { name: 'Cleo', keyId: 'c1' });
    await faces.addImage(account, bob);
    const merging = faces.regrouping.merge(account, bob.id, cleo.id);
    await expect(merging).rejects.toMatchObject({ code: 'conflict' });
    expect((await faces.people.read(account, bob.id)).images).toBe(1);
  });

  test('is refused with the same person, with one of another perception or account, or with none', async () => {
    const guests = await faces.perceptions.create(account, { name: 'guests' });
    const far = await faces.people.create(account, guests.id, { name: 'Far' });
    const other = await faces.makeAccount('two');
    const codes = [
      [account, ada.id, ada.id],
      [account, ada.id, far.id],
      [account, ada.id, 9999],
      [other, ada.id, bob.id],
    ].map(([owner = 0, from = 0, into = 0]) =>
      faces.regrouping.merge(owner, from, into).catch((error: { code: string }) => error.code),
    );
    expect(await Promise.all(codes)).toEqual([
      'wrong_parameters',
      'wrong_parameters',
      'not_found',
      'not_found',
    ]);
  });

  test('while images are added to the person loses none of them', async () => {
    await faces.addImage(account, bob);
    const adding = Array.from({ length: 30 }, () => faces.addImage(account, bob).catch(() => null));
    const merging = faces.regrouping.merge(account, bob.id, ada.id).catch(() => undefined);
    const added = (await Promise.all(adding)).filter((id) => id !== null);
    await merging;
    const left = (await faces.people.find(account, bob.id)) ? bob.id : ada.id;
    const kept = await faces.images.list(
      account,
      { perceptionId: staff.id },
      { limit: 100, after: undefined },
    );
    expect(kept.items).toHaveLength(added.length + 1);
    expect(new Set(kept.items.map(({ personId }) => personId))).toEqual(new Set([left]));
  });
});

describe('moving images', () => {
  test('to another person is felt by the next search', async () => {
    const image = await faces.addImage(account, ada);
    expect(await nearest(1)).toBe(ada.id);
    const moved = await faces.regrouping.move(account, staff, [image], { personId: bob.id });
    expect(moved).toMatchObject({ id: bob.id, images: 1 });
    expect(await nearest(1)).toBe(bob.id);
  });

  test('to a new name makes the person', async () => {
    const images = [await faces.addImage(account, ada), await faces.addImage(account, bob)];
    const cleo = await faces.regrouping.move(account, staff, images, { name: ' Cleo ' });
    expect(cleo).toMatchObject({ name: 'Cleo', keyId: null, images: 2, perceptionId: staff.id });
    expect([await nearest(1), await nearest(2)]).toEqual([cleo.id, cleo.id]);
  });

  test('moves all or none', async () => {
    const image = await faces.addImage(account, ada);
    for (const to of [{ personId: bob.id }, { name: 'Cleo' }]) {
      const moving = faces.regrouping.move(account, staff, [image, 9999], to);
      await expect(moving).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await faces.people.read(account, ada.id)).images).toBe(1);
    expect(await faces.people.count(account, staff.id)).toBe(2);
  });

  test('stays within the perception', async () => {
    const image = await faces.addImage(account, ada);
    const guests = await faces.perceptions.create(account, { name: 'guests' });
    const far = await faces.people.create(account, guests.id, { name: 'Far' });
    const toFar = faces.regrouping.move(account, staff, [image], { personId: far.id });
    await expect(toFar).rejects.toMatchObject({ code: 'not_found' });
    const fromFar = faces.regrouping.move(account, guests, [image], { name: 'x' });
    await expect(fromFar).rejects.toMatchObject({ code: 'not_found' });
  });
});
