import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTwoHouses, type TwoHouses } from './fixtures/two-houses.js';

let houses: TwoHouses;
beforeEach(async () => {
  houses = await openTwoHouses();
});
afterEach(() => houses.close());

describe('a perception that is being imported', () => {
  test('is seen by nobody until all of it is there', async () => {
    const { there, otherAccount } = houses;
    await houses.enrol(3, 2);
    const archive = await houses.exported();
    const seen: number[] = [];
    await houses.take(archive, {
      pictures: {
        write: async (blobId, content) => {
          const { items } = await there.perceptions.list(otherAccount, { limit: 10, after: undefined });
          seen.push(items.length);
          return there.pictures.write(blobId, content);
        },
        remove: there.pictures.remove,
      },
    });
    expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
    expect((await there.perceptions.list(otherAccount, { limit: 10, after: undefined })).items).toHaveLength(
      2,
    );
  });

  test('whose import was killed is removed at the next start', async () => {
    const { there } = houses;
    await houses.enrol(3, 2);
    const archive = await houses.exported();
    const killed = new Error('killed');
    const dying = houses.take(archive, {
      deletion: { finishOne: () => Promise.reject(killed) },
      pictures: { write: there.pictures.write, remove: there.pictures.remove },
      perceptions: { ...there.perceptions, reveal: () => Promise.reject(killed) },
    });
    await expect(dying).rejects.toBe(killed);
    expect(await there.deletion.finish()).toBe(1);
    await houses.expectNothingLeft();
  });

  test('and that a starting service removes meanwhile is told so', async () => {
    const { there } = houses;
    await houses.enrol(2, 2);
    const removing = houses.take(await houses.exported(), {
      pictures: {
        write: async (blobId, content) => {
          await there.deletion.finish();
          return there.pictures.write(blobId, content);
        },
        remove: there.pictures.remove,
      },
    });
    await expect(removing).rejects.toMatchObject({ code: 'conflict', message: /import it again/ });
    await houses.expectNothingLeft();
  });
});
