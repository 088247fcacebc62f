import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { readCursor, writeCursor } from './cursor.js';

const Position = Type.Tuple([Type.Integer(), Type.String()]);

test('a cursor is read as the position it was written from', () => {
  fc.assert(
    fc.property(fc.tuple(fc.integer(), fc.string({ unit: 'binary' })), (position) => {
      const cursor = writeCursor(position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(readCursor(Position, cursor)).toEqual(position);
    }),
  );
});

test('whatever else is given as a cursor is refused as a wrong parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => readCursor(Position, text)).toThrow(ServiceError);
    }),
    { numRuns: 1000 },
  );
});
