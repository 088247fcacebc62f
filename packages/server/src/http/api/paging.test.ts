import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { pageRequest, toPageAnswer } from './paging.js';

const Position = Type.Tuple([Type.Integer(), Type.String()]);

test('a cursor is read as the position it was written from', () => {
  fc.assert(
    fc.property(fc.tuple(fc.integer(), fc.string({ unit: 'binary' })), (position) => {
      const { next_cursor: cursor } = toPageAnswer({ items: [], next: position }, String);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(pageRequest(Position, { cursor: cursor ?? undefined }).after).toEqual(position);
    }),
  );
});

test('whatever else is given as a cursor is rejected as a wrong parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => pageRequest(Position, { cursor: text })).toThrow(ServiceError);
    }),
    { numRuns: 1000 },
  );
});
