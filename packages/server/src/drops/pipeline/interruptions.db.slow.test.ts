import { EngineError } from '@lynceus/engine';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import type { DropFolders } from '../drop-folders.js';
import { namesIn, readAll } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
beforeAll(async () => {
  service = await openWorkingDrop();
});
afterAll(() => service.close());

async function putImage(folders: DropFolders): Promise<void> {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
  const upload = await folders.receive(['incoming', 'bomb.jpg'], { at: 'begin' });
  await upload.write(await image.jpeg().toBuffer());
  await upload.finish();
}

test.each(['process-crashed', 'timeout'] as const)(
  'an image that ends every process that looks at it (%s) fails at its third attempt, and says why',
  { timeout: 120_000 },
  async (code) => {
    const { drop, folders } = await service.makeDrop();
    let attempts = 0;
    service.runner.script = async () => {
      attempts += 1;
      throw new EngineError(code, 'lost');
    };
    await putImage(folders);
    const [row] = await service.settled(drop.id);
    expect(attempts).toBe(3);
    expect(row?.error).toMatch(/in 3 attempts: something in the file crashes what reads it/);
    const day = new Date().toISOString().slice(0, 10);
    expect(await namesIn(folders, ['failed', day])).toEqual(['bomb.jpg', 'bomb.jpg.txt']);
    expect(await readAll(folders, ['failed', day, 'bomb.jpg.txt'])).toMatch(/in 3 attempts/);
    const history = await service.store.files.history(row?.id ?? '');
    expect(history.map(({ what }) => what)).toEqual(['arrived', 'interrupted', 'interrupted', 'failed']);

    // After a manual retry it has three attempts again.
    attempts = 0;
    service.runner.script = async () => {
      attempts += 1;
      if (attempts < 3) throw new EngineError(code, 'lost');
      return found;
    };
    await service.store.files.retry({ accountId: service.accountId, dropId: drop.id }, row?.id ?? '');
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done' }]);
    service.runner.script = async () => found;
  },
);
