import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import { createDeletion } from '../deletion.js';
import { openTwoInstallations, type TwoInstallations } from './fixtures/two-installations.js';

const leaseMs = 2500;
let installations: TwoInstallations;
beforeEach(async () => {
  installations = await openTwoInstallations();
});
afterEach(() => installations.close());

/** An import by one of two services on a database; `during` is done once, when some of it is there. */
async function importWhile(during: (other: { start(): Promise<number> }) => Promise<void>) {
  const { there } = installations;
  await installations.enrol(3, 2);
  const archive = await installations.exported();
  const state = { isCutOff: false };
  const database: Database = {
    ...there.database,
    async write(...unit) {
      if (state.isCutOff) throw new Error('cut off');
      return there.database.write(...unit);
    },
  };
  const other = createDeletion({
    ...there,
    clock: Date.now,
    leases: createProcessLeases({ ...there, folderUid: 'other', isAlone: false, leaseMs }),
  });
  let writes = 0;
  const leases = createProcessLeases({ database, folderUid: 'one', isAlone: false, leaseMs });
  const importing = installations.take(archive, {
    leases,
    imageFiles: {
      write: async (blobId, content) => {
        writes += 1;
        if (writes === 2) await during({ start: () => other.finish() });
        return there.imageFiles.write(blobId, content);
      },
      remove: there.imageFiles.remove,
    },
  });
  return { importing, state, other };
}

test('a start of another service ends no import of a living one, and no second one begins', async () => {
  const { there, otherAccount } = installations;
  let second: unknown;
  const { importing } = await importWhile(async (other) => {
    for (let look = 0; look < 5; look += 1) {
      expect(await other.start()).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, leaseMs / 3));
    }
    second = await installations.take(Buffer.alloc(0)).catch((error: unknown) => error);
  });
  expect((await importing).images).toBe(6);
  expect(second).toMatchObject({ code: 'conflict' });
  const { items } = await there.perceptions.list(otherAccount, { limit: 10, after: undefined });
  expect(items).toHaveLength(2);
});

test('of a service that is cut off another one removes what was imported, and it is never seen', async () => {
  let cutOff = (_value: boolean): void => undefined;
  const { importing, state } = await importWhile(async (other) => {
    cutOff(true);
    await vi.waitUntil(async () => (await other.start()) === 1, { timeout: 30_000 });
    cutOff(false);
  }).then((begun) => {
    cutOff = (value) => {
      begun.state.isCutOff = value;
    };
    return begun;
  });
  await expect(importing).rejects.toThrow();
  expect(state.isCutOff).toBe(false);
  await installations.expectNothingLeft();
});
