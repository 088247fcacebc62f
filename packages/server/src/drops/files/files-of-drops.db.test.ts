import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DropFolders } from '../drop-folders.js';
import { type DropTrial, namesIn, openDropTrial, put, putCut, readAll } from '../fixtures/drop-trial.js';
import type { DropRef } from './file-rows.js';

describe.each(['data folder', 'bucket'] as const)('files of drops in a %s', (place) => {
  let trial: DropTrial;
  let folders: DropFolders;
  let drop: DropRef;
  beforeAll(async () => {
    trial = await openDropTrial({ place });
  });
  afterAll(() => trial.close());
  beforeEach(async () => {
    ({ folders, drop } = await trial.makeDrop());
  });

  const rowsHere = async () => (await trial.rows()).filter(({ drop_id }) => drop_id === drop.dropId);
  const statesHere = async () => (await rowsHere()).map(({ name, state }) => [name, state]);
  const waitsHere = async () => {
    const waiting = new Set(await trial.waiting());
    return (await rowsHere()).filter(({ id }) => waiting.has(id)).map(({ name }) => name);
  };

  describe('a file', () => {
    test('that came whole is there, can be read and waits to be worked on', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'image');
      expect(await folders.find(['incoming', 'a.jpg'])).toMatchObject({ kind: 'file', sizeBytes: 5 });
      expect(await readAll(folders, ['incoming', 'a.jpg'])).toBe('image');
      expect(await readAll(folders, ['incoming', 'a.jpg'], 3)).toBe('ge');
      expect(await waitsHere()).toEqual(['a.jpg']);
    });

    test('that was cut never arrives, can be gone on with, and then arrives whole', async () => {
      await putCut(folders, ['incoming', 'a.jpg'], 'pict');
      expect(await waitsHere()).toEqual([]);
      expect(await folders.find(['incoming', 'a.jpg'])).toMatchObject({ sizeBytes: 4 });
      await expect(
        folders.receive(['incoming', 'a.jpg'], { at: 'offset', offsetBytes: 5 }),
      ).rejects.toMatchObject({
        code: 'offset',
      });
      await put(folders, ['incoming', 'a.jpg'], 'xture', { at: 'offset', offsetBytes: 3 });
      expect(await readAll(folders, ['incoming', 'a.jpg'])).toBe('picxture');
      expect(await statesHere()).toEqual([['a.jpg', 'arrived']]);
      expect(await waitsHere()).toEqual(['a.jpg']);
    });

    test('keeps its name: no folder gets it', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'image');
      await expect(folders.makeFolder(['incoming', 'a.jpg'])).rejects.toMatchObject({ code: 'exists' });
      expect(await folders.find(['incoming', 'a.jpg'])).toMatchObject({ kind: 'file' });
    });

    test('that was cut before its first byte leaves nothing', async () => {
      await putCut(folders, ['incoming', 'a.jpg'], '');
      expect(await folders.find(['incoming', 'a.jpg'])).toBeNull();
      expect(await rowsHere()).toEqual([]);
    });

    test('goes on at its end, or begins there when it is new', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'one', { at: 'end' });
      await put(folders, ['incoming', 'a.jpg'], 'two', { at: 'end' });
      expect(await readAll(folders, ['incoming', 'a.jpg'])).toBe('onetwo');
      expect(await waitsHere()).toEqual(['a.jpg']);
    });

    test('of the name of a waiting one leaves that as it is', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'first');
      await put(folders, ['incoming', 'a.jpg'], 'second');
      expect(await namesIn(folders, ['incoming'])).toEqual(['a.jpg']);
      expect(await waitsHere()).toEqual(['a.jpg', 'a.jpg']);
      const [first, second] = await rowsHere();
      expect([first?.size_bytes, second?.size_bytes]).toEqual([5, 6]);
    });

    test('replaces what was cut under its name', async () => {
      await putCut(folders, ['incoming', 'a.jpg'], 'half');
      await put(folders, ['incoming', 'a.jpg'], 'whole');
      expect(await statesHere()).toEqual([['a.jpg', 'arrived']]);
    });

    test('gets a name that nothing has, where the client wants one', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'first');
      const start = { at: 'begin', isUnique: true } as const;
      expect(await put(folders, ['incoming', 'a.jpg'], 'second', start)).toEqual(['incoming', 'a.jpg.1']);
      expect(await put(folders, ['incoming', 'b.jpg'], 'third', start)).toEqual(['incoming', 'b.jpg']);
      const atOnce = await Promise.all(
        ['one', 'two', 'three'].map((text) => put(folders, ['incoming', 'c.jpg'], text, start)),
      );
      expect(atOnce.map((path) => path.at(-1)).sort()).toEqual(['c.jpg', 'c.jpg.1', 'c.jpg.2']);
    });

    test('under a passing name arrives when it is renamed, and not before', async () => {
      await put(folders, ['incoming', 'a.jpg.tmp'], 'image');
      expect(await waitsHere()).toEqual([]);
      await folders.rename(['incoming', 'a.jpg.tmp'], ['incoming', 'a.jpg']);
      expect(await namesIn(folders, ['incoming'])).toEqual(['a.jpg']);
      expect(await waitsHere()).toEqual(['a.jpg']);
    });

    test('that arrived can be renamed once more, and back to a passing name', async () => {
      await put(folders, ['incoming', 'a'], 'image');
      await folders.rename(['incoming', 'a'], ['incoming', 'a.jpg']);
      expect(await waitsHere()).toEqual(['a.jpg']);
      await folders.rename(['incoming', 'a.jpg'], ['incoming', 'a.part']);
      expect(await waitsHere()).toEqual([]);
    });

    test('that was cut does not arrive by a new name', async () => {
      await putCut(folders, ['incoming', 'a.tmp'], 'half');
      await folders.rename(['incoming', 'a.tmp'], ['incoming', 'a.jpg']);
      expect(await statesHere()).toEqual([['a.jpg', 'partial']]);
      expect(await waitsHere()).toEqual([]);
    });

    test('that is removed is gone with its bytes and its work', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'image');
      const [row] = await rowsHere();
      await folders.removeFile(['incoming', 'a.jpg']);
      expect(await rowsHere()).toEqual([]);
      expect(await waitsHere()).toEqual([]);
      expect(await trial.bytes.sizeOf(row?.id ?? '')).toBe(0);
    });

    test('that is worked on can neither be renamed, removed nor gone on with, and keeps its work', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'image');
      const { database } = trial;
      await database.write([
        database.query
          .updateTable('drop_file')
          .set({ state: 'predicted' })
          .where('drop_id', '=', drop.dropId),
      ]);
      const path = ['incoming', 'a.jpg'];
      await expect(folders.rename(path, ['incoming', 'b.jpg'])).rejects.toMatchObject({ code: 'busy' });
      await expect(folders.removeFile(path)).rejects.toMatchObject({ code: 'busy' });
      await put(folders, path, 'another', { at: 'end' });
      expect(await waitsHere()).toEqual(['a.jpg', 'a.jpg']);
      expect((await rowsHere()).map(({ size_bytes }) => size_bytes)).toEqual([5, 7]);
    });

    test('is cut by a service that died, and its client goes on with it at the next start', async () => {
      const upload = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
      await upload.write(Buffer.from('imag'));
      await upload.sync();
      const empty = await folders.receive(['incoming', 'empty.jpg'], { at: 'begin' });
      await empty.write(Buffer.alloc(0));
      expect(await trial.restartedFiles().recoverCut()).toBe(2);
      expect(await namesIn(folders, ['incoming'])).toEqual(['a.jpg']);
      await put(folders, ['incoming', 'a.jpg'], 'e', { at: 'offset', offsetBytes: 4 });
      expect(await readAll(folders, ['incoming', 'a.jpg'])).toBe('image');
      // What a late session of the dead service's would do changes nothing.
      await upload.cut();
      await empty.cut();
      expect(await statesHere()).toEqual([['a.jpg', 'arrived']]);
    });

    test('is taken up by one of two that would go on with it at once', async () => {
      await putCut(folders, ['incoming', 'a.jpg'], 'half');
      const outcomes = await Promise.allSettled(
        [0, 1].map(() => folders.receive(['incoming', 'a.jpg'], { at: 'end' })),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.cut();
    });
  });

  describe('folders', () => {
    test('are made, listed, renamed with what is in them, and removed when they are empty', async () => {
      await folders.makeFolder(['incoming', 'DCIM']);
      await folders.makeFolder(['incoming', 'DCIM', '100_A']);
      await put(folders, ['incoming', 'DCIM', '100_A', 'x.jpg'], 'image');
      expect(await namesIn(folders, ['incoming', 'DCIM'])).toEqual(['100_A/']);
      await folders.rename(['incoming', 'DCIM'], ['incoming', 'card']);
      expect(await namesIn(folders, ['incoming'])).toEqual(['card/']);
      expect(await readAll(folders, ['incoming', 'card', '100_A', 'x.jpg'])).toBe('image');
      await expect(folders.removeFolder(['incoming', 'card', '100_A'])).rejects.toMatchObject({
        code: 'not-empty',
      });
      await expect(folders.removeFolder(['incoming', 'card'])).rejects.toMatchObject({ code: 'not-empty' });
      await folders.removeFile(['incoming', 'card', '100_A', 'x.jpg']);
      await folders.removeFolder(['incoming', 'card', '100_A']);
      await folders.removeFolder(['incoming', 'card']);
      expect(await namesIn(folders, ['incoming'])).toEqual([]);
    });

    test.each([
      [['x.jpg'], 'read-only'],
      [['done', 'x.jpg'], 'read-only'],
      [['failed', 'x.jpg'], 'read-only'],
      [['incoming', 'none', 'x.jpg'], 'not-found'],
    ])('take no file at %j', async (path, code) => {
      await expect(folders.receive(path, { at: 'begin' })).rejects.toMatchObject({ code });
    });

    test('at the root are the three that there are', async () => {
      expect(await namesIn(folders, [])).toEqual(['incoming/', 'done/', 'failed/']);
      expect(await namesIn(folders, ['done'])).toEqual([]);
      await expect(namesIn(folders, ['elsewhere'])).rejects.toMatchObject({ code: 'not-found' });
    });

    test('of other drops are not seen', async () => {
      await put(folders, ['incoming', 'a.jpg'], 'image');
      await folders.makeFolder(['incoming', 'DCIM']);
      const other = await trial.makeDrop();
      expect(await namesIn(other.folders, ['incoming'])).toEqual([]);
      expect(await other.folders.find(['incoming', 'a.jpg'])).toBeNull();
    });

    test('list thousands of files by name, each once', async () => {
      const row = (n: number) => ({
        id: `${drop.dropId}-many-${n}`,
        account_id: drop.accountId,
        drop_id: drop.dropId,
        area: 'incoming' as const,
        parent: '',
        name: `${String(n >> 1).padStart(5, '0')}.jpg`,
        state: 'arrived' as const,
        size_bytes: n,
        created_at: n,
        modified_at: n,
      });
      const { database } = trial;
      for (let at = 0; at < 5000; at += 500) {
        const some = Array.from({ length: 500 }, (_, n) => row(at + n));
        await database.write([database.query.insertInto('drop_file').values(some)]);
      }
      const names = await namesIn(folders, ['incoming']);
      expect(names).toEqual(Array.from({ length: 2500 }, (_, n) => `${String(n).padStart(5, '0')}.jpg`));
      expect(await folders.find(['incoming', '00007.jpg'])).toMatchObject({ sizeBytes: 15 });
    });
  });

  describe('limits', () => {
    test('of a file, of waiting files, and of the disk are reported and lose nothing', async () => {
      const small = await openDropTrial({ place, maxFileBytes: 5, maxUnfinishedFiles: 1 });
      try {
        const { folders } = await small.makeDrop();
        const upload = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
        await upload.write(Buffer.from('12345'));
        await expect(upload.write(Buffer.from('6'))).rejects.toMatchObject({ code: 'too-large' });
        await upload.cut();
        await expect(folders.receive(['incoming', 'b.jpg'], { at: 'begin' })).rejects.toMatchObject({
          code: 'too-many',
        });
        expect(await namesIn(folders, ['incoming'])).toEqual(['a.jpg']);
      } finally {
        await small.close();
      }
      const full = await openDropTrial({ place, reserveBytes: Number.MAX_SAFE_INTEGER });
      try {
        const { folders } = await full.makeDrop();
        await expect(folders.receive(['incoming', 'a.jpg'], { at: 'begin' })).rejects.toMatchObject({
          code: 'full',
        });
        expect(await full.rows()).toEqual([]);
      } finally {
        await full.close();
      }
    });
  });
});
