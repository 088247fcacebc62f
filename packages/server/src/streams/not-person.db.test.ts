import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import type { FaceDatabase } from '../faces/face-database.js';
import { createStreamEvents } from './events.js';
import { insertTrack } from './fixtures/insert-track.js';
import { openStreamDatabase, type StreamDatabase } from './fixtures/stream-database.js';
import { createRefusePerson } from './not-person.js';
import { createTracks } from './tracks.js';

let stored: StreamDatabase;
beforeAll(async () => {
  stored = await openStreamDatabase();
  const { database, accountId } = stored;
  const { query } = database;
  const ofAll = { account_id: accountId, created_at: 1 };
  await stored.insertStream(1);
  await database.write([
    query.insertInto('perception').values({
      ...ofAll,
      ...{ id: 1, uid: 'p', name: 'staff', decision_similarity: 0.5, embedder: 'e', wants_liveness: 0 },
      ...{ names_recognition: 0, refused_problems: '[]', deleted_at: null, calibration: null },
    }),
    query
      .insertInto('person')
      .values({ ...ofAll, id: 11, perception_id: 1, name: 'Ada', key_id: null, search_text: 'ada' }),
  ]);
});
afterAll(() => stored.close());

const { signal } = new AbortController();
/** Disputes that remember what they were asked. */
function open(outcome: () => Promise<{ id: number; personId: number; createdAt: number } | null>) {
  const asked: unknown[] = [];
  const faces = {
    people: { read: async () => ({ id: 11, perceptionId: 1 }) },
    perceptions: { read: async () => ({ id: 1, embedder: 'e' }) },
    disputes: {
      async byFace(
        _account: number,
        _perception: unknown,
        person: { id: number },
        image: { within?: object },
      ) {
        asked.push([person.id, image.within]);
        return outcome();
      },
    },
  } as unknown as FaceDatabase;
  const tracks = createTracks(stored);
  return { asked, tracks, refuse: createRefusePerson({ ...stored, tracks, faces }) };
}
const addNamed = (snapshot?: Uint8Array) =>
  insertTrack(stored, {
    ...{ accountId: stored.accountId, streamId: 1, person: { personId: 11, name: 'Ada', score: 0.9 } },
    ...{ kinds: ['start', 'person_recognised'] },
    ...(snapshot && { snapshot }),
  });

test('the name is taken from the track and its events, and the face of the box remembered', async () => {
  const id = await addNamed(Buffer.from('jpeg'));
  const correction = { id: 5, personId: 11, createdAt: 1 };
  const { refuse, asked, tracks } = open(async () => correction);
  expect(await refuse(stored.accountId, id, signal)).toMatchObject({
    track: { id, person: null },
    correction,
    reason: null,
  });
  expect(asked).toEqual([[11, { xMin: 0.5, yMin: 0.25, xMax: 0.75, yMax: 0.75 }]]);
  expect((await tracks.read(stored.accountId, id)).person).toBeNull();
  const { details } = await stored.database.query
    .selectFrom('stream_track')
    .select('details')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  // For whoever runs the stream.
  expect(JSON.parse(details)).toMatchObject({ refused: [11], events: 2 });
  const { items } = await createStreamEvents(stored.database).list(
    stored.accountId,
    { trackId: id },
    { limit: 10, after: undefined },
  );
  expect(items.map(({ data }) => data.person)).toEqual([null, null]);
  await expect(refuse(stored.accountId, id, signal)).rejects.toThrow(/has no name/);
});

test('the name goes also where nothing can be remembered, with the reason', async () => {
  const full = open(async () => {
    throw new ServiceError('conflict', 'person 11 has 100 corrections');
  });
  const id = await addNamed(Buffer.from('jpeg'));
  expect(await full.refuse(stored.accountId, id, signal)).toMatchObject({
    track: { person: null },
    correction: null,
    reason: 'person 11 has 100 corrections',
  });
  const without = await addNamed();
  const none = open(async () => null);
  expect(await none.refuse(stored.accountId, without, signal)).toMatchObject({
    correction: null,
    reason: 'there is no snapshot of this object with a face',
  });
  expect(none.asked).toEqual([]);
});

test('of another account nothing is refused', async () => {
  const id = await addNamed();
  const { refuse, tracks } = open(async () => null);
  await expect(refuse(stored.accountId + 1, id, signal)).rejects.toThrow(/is not one of your tracks/);
  expect((await tracks.read(stored.accountId, id)).person?.name).toBe('Ada');
});
