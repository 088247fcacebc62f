import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaff, type Staff } from './fixtures/staff.js';

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

const rowsLeft = async () => {
  const counts = ['perception', 'person', 'face_image', 'face_embedding', 'face_correction'] as const;
  const left = counts.map(async (table) => {
    const row = await faces.database.query
      .selectFrom(table)
      .select((from) => from.fn.countAll<number>().as('count'))
      .executeTakeFirst();
    return row?.count;
  });
  return Promise.all(left);
};

describe('deleting', () => {
  test('images removes rows, vectors and images, and tells how many', async () => {
    const first = await faces.addImage(account, ada);
    await faces.addImage(account, bob);
    expect(await nearest(1)).toBe(ada.id);
    expect(await faces.deletion.removeImages(account, [first, 999])).toEqual({
      people: 0,
      images: 1,
      embeddings: 1,
      corrections: 0,
      bytes: 1000,
    });
    expect(await nearest(1)).toBe(bob.id);
    expect(await faces.blobIds()).toEqual(['image-00000002']);
    expect(await rowsLeft()).toEqual([1, 2, 1, 1, 0]);
  });

  test('a person removes every image of them, and nobody else', async () => {
    for (let count = 0; count < 5; count += 1) await faces.addImage(account, ada);
    await faces.addImage(account, bob);
    expect(await faces.deletion.removePerson(account, ada.id)).toMatchObject({ people: 1, images: 5 });
    expect(await nearest(1)).toBe(bob.id);
    expect(await faces.people.find(account, ada.id)).toBeNull();
    await expect(faces.deletion.removePerson(account, ada.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(faces.addImage(account, ada)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a person while images are added leaves no image behind that anybody finds', async () => {
    const adding = Array.from({ length: 40 }, () => faces.addImage(account, ada).catch(() => undefined));
    await faces.addImage(account, bob);
    await faces.deletion.removePerson(account, ada.id);
    await Promise.all(adding);
    expect(await rowsLeft()).toEqual([1, 1, 1, 1, 0]);
  });

  test('a perception removes everything in it, and the next one gets another id', async () => {
    const added = Array.from({ length: 700 }, (_, count) => faces.addImage(account, count % 2 ? ada : bob));
    await Promise.all(added);
    const kept = await faces.perceptions.create(account, { name: 'kept' });
    const cleo = await faces.people.create(account, kept.id, { name: 'Cleo' });
    await faces.addImage(account, cleo);
    expect(await faces.deletion.removePerception(account, staff.id)).toEqual({
      people: 2,
      images: 700,
      embeddings: 700,
      corrections: 0,
      bytes: 700_000,
    });
    expect(await rowsLeft()).toEqual([1, 1, 1, 1, 0]);
    expect(await faces.blobIds()).toEqual(['image-00000701']);
    expect(await faces.perceptions.find(account, String(staff.id))).toBeNull();
    expect((await faces.perceptions.create(account, { name: 'next' })).id).toBe(kept.id + 1);
  });

  test('a perception whose deletion was interrupted is hidden, and deleted at the next start', async () => {
    await faces.addImage(account, ada);
    await faces.database.write([
      faces.database.query.updateTable('perception').set({ deleted_at: 1 }).where('id', '=', staff.id),
    ]);
    expect(await faces.perceptions.find(account, String(staff.id))).toBeNull();
    expect(await faces.people.find(account, ada.id)).toBeNull();
    await expect(faces.images.read(account, 1001)).rejects.toMatchObject({ code: 'not_found' });
    expect(await faces.deletion.finish()).toBe(1);
    expect(await rowsLeft()).toEqual([0, 0, 0, 0, 0]);
    expect(await faces.blobIds()).toEqual([]);
  });

  test("what is another account's is not touched", async () => {
    const image = await faces.addImage(account, ada);
    const other = await faces.makeAccount('two');
    await expect(faces.deletion.removePerception(other, staff.id)).rejects.toMatchObject({
      code: 'invalid_model',
    });
    await expect(faces.deletion.removePerson(other, ada.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await faces.deletion.removeImages(other, [image])).toMatchObject({ images: 0, bytes: 0 });
    expect(await rowsLeft()).toEqual([1, 2, 1, 1, 0]);
  });
});
