import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import { createDeletion } from '../deletion.js';
import { openTwoInstallations, type TwoInstallations } from './fixtures/two-installations.js';

let installations: TwoInstallations;
beforeEach(async () => {
  installations = await openTwoInstallations();
});
afterEach(() => installations.close());

describe('a perception that is being imported', () => {
  test('is hidden until all of it is there', async () => {
    const { there, otherAccount } = installations;
    await installations.enrol(3, 2);
    const archive = await installations.exported();
    const seen: number[] = [];
    await installations.take(archive, {
      imageFiles: {
        write: async (blobId, content) => {
          const { items } = await there.perceptions.list(otherAccount, { limit: 10, after: undefined });
          seen.push(items.length);
          return there.imageFiles.write(blobId, content);
        },
        remove: there.imageFiles.remove,
      },
    });
    expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
    expect((await there.perceptions.list(otherAccount, { limit: 10, after: undefined })).items).toHaveLength(
      2,
    );
  });

  test('whose import was killed is removed at the next start', async () => {
    const { there } = installations;
    await installations.enrol(3, 2);
    const archive = await installations.exported();
    const killed = new Error('killed');
    const dying = installations.take(archive, {
      deletion: { finishOne: () => Promise.reject(killed) },
      imageFiles: { write: there.imageFiles.write, remove: there.imageFiles.remove },
      perceptions: { ...there.perceptions, reveal: () => Promise.reject(killed) },
    });
    await expect(dying).rejects.toBe(killed);
    expect(await there.deletion.finish()).toBe(1);
    await installations.expectNothingLeft();
  });

  test('and that another service removes meanwhile, since the lease is over, is reported as such', async () => {
    const { there } = installations;
    await installations.enrol(2, 2);
    const { database } = there;
    const leases = createProcessLeases({ database, folderUid: '', isAlone: false });
    const deletionOfOther = createDeletion({ ...there, clock: Date.now, leases });
    const endLease = () => database.write([database.query.updateTable('lease').set({ leased_until: 1 })]);
    const removing = installations.take(await installations.exported(), {
      imageFiles: {
        write: async (blobId, content) => {
          await endLease();
          await deletionOfOther.finish();
          return there.imageFiles.write(blobId, content);
        },
        remove: there.imageFiles.remove,
      },
    });
    await expect(removing).rejects.toMatchObject({ code: 'conflict', message: /import it again/ });
    await installations.expectNothingLeft();
  });
});
