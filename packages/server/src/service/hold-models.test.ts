import { EngineError, type ModelRunner } from '@lynceus/engine';
import { expect, test, vi } from 'vitest';
import type { Logger } from '../core/logger.js';
import type { HeldFile } from '../storage/blobs/blob-store.js';
import { StorageError } from '../storage/storage-error.js';
import { holdModels } from './hold-models.js';

/** A runner of models below `/held`, and what happens in it. */
function scripted(hold: (id: string) => Promise<HeldFile | null>) {
  const events: string[] = [];
  const runner: Pick<ModelRunner, 'analyse'> = {
    async analyse() {
      events.push('analysed');
      throw new EngineError('image-empty', 'nothing is looked at here');
    },
  };
  const held = (id: string): HeldFile => ({
    path: `/held/${id}`,
    release: () => void events.push(`released ${id}`),
  });
  const models = {
    idOf: (path: string) => (path.startsWith('/held/') ? path.slice('/held/'.length) : null),
    placeOf: (id: string) => `models/${id}`,
    hold,
  };
  const logger = { warn: ({ object }: { object: string }) => void events.push(`${object} is missing`) };
  const holding = holdModels(runner, models, logger as Pick<Logger, 'warn'>);
  const analyse = (dirs: readonly string[], signal?: AbortSignal) =>
    holding.analyse(
      {
        source: { kind: 'file', path: '/image' },
        limits: { maxPixels: 1 },
        tasks: dirs.map((dir) => ({
          task: 'classify' as const,
          options: { model: { id: 'a', version: '1', dir }, topK: 1 },
        })),
      },
      { priority: 'interactive', ...(signal ? { signal } : {}) },
    );
  return { events, held, analyse };
}

test('models of a bucket are held until the job ends, each once; others are not', async () => {
  const asked: string[] = [];
  const { events, held, analyse } = scripted(async (id) => {
    asked.push(id);
    return held(id);
  });
  await expect(analyse(['/held/a', '/held/a', '/held/b', '/shipped/c'])).rejects.toMatchObject({
    code: 'image-empty',
  });
  await expect(analyse(['/shipped/c'])).rejects.toMatchObject({ code: 'image-empty' });
  expect(asked).toEqual(['a', 'b']);
  expect(events).toEqual(['analysed', 'released a', 'released b', 'analysed']);
});

test('a model that is in no bucket is missing, and one that cannot be brought fails the job; nothing stays held', async () => {
  const away = new StorageError('away', 'the store is away');
  const { events, held, analyse } = scripted(async (id) => {
    if (id === 'c') throw away;
    return id === 'b' ? null : held(id);
  });
  await expect(analyse(['/held/a', '/held/b'])).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining('models/b'),
  });
  await expect(analyse(['/held/a', '/held/c'])).rejects.toBe(away);
  expect(events).toEqual(['models/b is missing', 'released a', 'released a']);
});

test('whoever gives up does not wait for the download, whose folder is released when it is there', async () => {
  let arrive: (held: HeldFile) => void = () => undefined;
  const arrival = new Promise<HeldFile>((resolve) => {
    arrive = resolve;
  });
  const { events, held, analyse } = scripted(() => arrival);
  const stop = new AbortController();
  const analysed = analyse(['/held/a'], stop.signal);
  stop.abort();
  await expect(analysed).rejects.toMatchObject({ code: 'aborted' });
  arrive(held('a'));
  await vi.waitUntil(() => events.length > 0);
  expect(events).toEqual(['released a']);
});
