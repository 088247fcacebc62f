import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { toAnswer } from './answer.js';
import { Time, TimeOrNull } from './fields.js';

const Thing = Type.Object({
  thing_id: Type.Integer(),
  file_name: Type.String(),
  keywords: Type.Array(Type.String()),
  created_at: Time,
  ended_at: TimeOrNull,
});

test('an answer has the fields of its schema in their order, times as texts, and nothing else of the row', () => {
  const row = { id: 7, secret: 's', endedAt: null, createdAt: 0, keywords: ['a'], fileName: 'a.jpg' };
  const answer = toAnswer(Thing, row, { thing_id: row.id });
  expect(JSON.stringify(answer)).toBe(
    '{"thing_id":7,"file_name":"a.jpg","keywords":["a"],"created_at":"1970-01-01T00:00:00.000Z","ended_at":null}',
  );
});

test('a field of its own takes the place of that of the row', () => {
  const row = { thingId: 1, fileName: 'a.jpg', keywords: [], createdAt: 0, endedAt: 1 };
  expect(toAnswer(Thing, row, { file_name: 'b.jpg', ended_at: null })).toMatchObject({
    thing_id: 1,
    file_name: 'b.jpg',
    ended_at: null,
  });
});
