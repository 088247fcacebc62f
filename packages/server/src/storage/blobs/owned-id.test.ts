import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownedUuid, ownerOfId } from './owned-id.js';

test.each([1, 1001, 2 ** 47, 2 ** 48 - 1])(
  'an id of account %d tells its owner, with dashes, without, and in parts',
  (account) => {
    const id = ownedUuid(account);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const each of [id, id.replaceAll('-', ''), `${id}-picture`, `${id}-picture.xmp`]) {
      expect([each, ownerOfId(each)]).toEqual([each, account]);
    }
    expect(ownedUuid(account)).not.toBe(id);
  },
);

test('a random id has no owner', () => {
  for (let each = 0; each < 1000; each += 1) {
    const id = randomUUID();
    expect([ownerOfId(id), ownerOfId(id.replaceAll('-', ''))]).toEqual([null, null]);
  }
  expect(ownerOfId('')).toBeNull();
});

test('what is no account gets no id', () => {
  for (const odd of [-1, 0.5, 2 ** 48, Number.NaN]) expect(() => ownedUuid(odd)).toThrow(RangeError);
});
