import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStoredFaces, type StoredFaces } from './fixtures/stored-faces.js';

let faces: StoredFaces;
let account: number;
beforeEach(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
});
afterEach(() => faces.close());

/** The rows, counted, and what the totals say of them. */
async function counted() {
  const { query } = faces.database;
  const [people, corrections, images] = await Promise.all([
    query.selectFrom('person').select('id').where('account_id', '=', account).execute(),
    query.selectFrom('face_correction').select('id').where('account_id', '=', account).execute(),
    query.selectFrom('face_image').select('image_bytes').where('account_id', '=', account).execute(),
  ]);
  const total = await query
    .selectFrom('face_total')
    .select(['people', 'images', 'image_bytes', 'corrections'])
    .where('account_id', '=', account)
    .executeTakeFirst();
  return {
    total,
    rows: {
      people: people.length,
      images: images.length,
      image_bytes: images.reduce((sum, row) => sum + Number(row.image_bytes), 0),
      corrections: corrections.length,
    },
  };
}

test('totals are the rows, whoever inserts and deletes at the same moment', async () => {
  const { perceptions, people, corrections, deletion, addImage } = faces;
  const made = await Promise.all(['a', 'b', 'c'].map((name) => perceptions.create(account, { name })));
  const persons = await Promise.all(
    made.flatMap(({ id }) => [1, 2, 3].map((index) => people.create(account, id, { name: `p${index}` }))),
  );
  const add = (index: number) =>
    addImage(account, persons[index % 9] ?? raise(), { imageBytes: 100 + index });
  const images = await Promise.all(Array.from({ length: 45 }, (_, index) => add(index)));
  await Promise.all(
    persons.map(({ id }) => corrections.add(account, id, 'test@1', new Float32Array(32).fill(1))),
  );
  expect((await counted()).total).toMatchObject({ people: 9, images: 45, corrections: 9 });
  // One perception and one person go, with single images of the others, while images of the others come.
  const [first] = made;
  const later = persons.filter(({ perceptionId }) => perceptionId !== first?.id);
  await Promise.all([
    deletion.removePerception(account, first?.id ?? 0),
    deletion.removePerson(account, later[0]?.id ?? 0),
    ...images.slice(9, 20).map((id) => deletion.removeImages(account, [id])),
    ...later.slice(1).flatMap((person) => [1, 2, 3].map(() => addImage(account, person))),
  ]);
  const { total, rows } = await counted();
  expect(total).toEqual(rows);
  expect(rows).toMatchObject({ people: 5, corrections: 5 });
  expect(rows.images).toBeGreaterThan(15);
});

test('a unit that is undone counts nothing, and the bytes of an image that changes are counted again', async () => {
  const { id } = await faces.perceptions.create(account, { name: 'a' });
  const person = await faces.people.create(account, id, { name: 'Ada' });
  const image = await faces.addImage(account, person, { imageBytes: 100 });
  await expect(faces.addImage(account, person, { embedder: 'another@2' })).rejects.toThrow();
  const { query, write } = faces.database;
  await write([query.updateTable('face_image').set({ image_bytes: 70 }).where('id', '=', image)]);
  const { total, rows } = await counted();
  expect(total).toEqual(rows);
  expect(rows).toEqual({ people: 1, images: 1, image_bytes: 70, corrections: 0 });
});

test('the totals of an account go with it', async () => {
  const { id } = await faces.perceptions.create(account, { name: 'a' });
  const person = await faces.people.create(account, id, { name: 'Ada' });
  await faces.addImage(account, person);
  await faces.deletion.removePerception(account, id);
  expect((await counted()).total).toEqual({ people: 0, images: 0, image_bytes: 0, corrections: 0 });
  const { query, write } = faces.database;
  await write([query.deleteFrom('account').where('id', '=', account)]);
  expect((await counted()).total).toBeUndefined();
});

function raise(): never {
  throw new Error('no such person');
}
