import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGalleryRows } from '#server/faces/index/fixtures/gallery-rows.js';
import { createMemoryFaceIndex } from '#server/faces/index/memory-face-index.js';
import { createStoredGalleries } from '#server/faces/stored-galleries.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage } from '#server/storage/open-storage.js';
import { clusteredFace, strangeImageOf } from './clustered-faces.js';
import { type Times, timesOf } from './timing.js';

/** The index over a real SQLite database: reading it, changing it, changing it for long. */
export interface ChangeFigures {
  readonly faces: number;
  readonly loadMs: number;
  /** Longest search of another, small gallery while this one was read. */
  readonly besideLoadMs: number;
  /** Of a search that has nothing to catch up with. */
  readonly search: Times;
  /** From the start of a commit until a search has found the face. */
  readonly insert: Times;
  /** From the start of a commit until a search no longer finds it. */
  readonly remove: Times;
  /** Resident memory at the end, to that after the first tenth of the changes: of this process, which holds the index. */
  readonly memoryGrowth: number;
  readonly residentMb: number;
}

const gallery = { accountId: 1, perceptionId: 1001, embedder: 'bench@1' };
const small = { accountId: 2, perceptionId: 1001, embedder: 'bench@1' };

/** @param changes Inserts, and as many deletions. */
export async function measureChanges(faces: number, changes: number): Promise<ChangeFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-index-'));
  const { database, close } = await openServiceStorage(dataFolder(dir));
  const onDamaged = () => undefined;
  const index = createMemoryFaceIndex({
    stored: createStoredGalleries({ database, onDamaged }),
    maxBytes: Number.MAX_SAFE_INTEGER,
    onThreadCrashed: (error) => console.error(error),
    onDamaged,
  });
  const rows = createGalleryRows(database);
  const nearest = async (asked: Float32Array, from = gallery) =>
    (await index.nearestPeople(from, asked, { people: 10 }))[0]?.imageId;
  try {
    for (let from = 0; from < faces; from += 200) {
      await rows.commit(
        gallery,
        Array.from({ length: Math.min(200, faces - from) }, (_, at) => clusteredFace(from + at)),
      );
    }
    await rows.commit(small, [clusteredFace(0)]);
    await index.prepare(small);
    const { loadMs, besideLoadMs } = await loadBeside(
      () => index.prepare(gallery),
      () => nearest(strangeImageOf(0, 1), small),
    );
    const [searched, inserted, removed]: number[][] = [[], [], []];
    const [early, late] = [watchResident(), watchResident()];
    const watched = Math.ceil(changes / 100);
    for (let at = 0; at < changes; at += 1) {
      const face = clusteredFace(faces + at);
      searched?.push(await time(() => nearest(face.vector)));
      inserted?.push(
        await time(async () => {
          await rows.commit(gallery, [face]);
          if ((await nearest(face.vector)) !== face.imageId) throw new Error('an inserted face is not found');
        }),
      );
      removed?.push(
        await time(async () => {
          await rows.delete(gallery, [face.imageId]);
          if ((await nearest(face.vector)) === face.imageId) throw new Error('a deleted face is found');
        }),
      );
      if (at >= changes / 10 && at < changes / 10 + watched) early.look();
      if (at >= changes - watched) late.look();
    }
    return {
      faces,
      loadMs,
      besideLoadMs,
      search: timesOf(searched ?? []),
      insert: timesOf(inserted ?? []),
      remove: timesOf(removed ?? []),
      memoryGrowth: late.meanBytes() / early.meanBytes(),
      residentMb: late.meanBytes() / 2 ** 20,
    };
  } finally {
    await index.close();
    await close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function loadBeside(load: () => Promise<void>, search: () => Promise<unknown>) {
  let isLoaded = false;
  const startedAt = performance.now();
  const loading = load().then(() => {
    isLoaded = true;
    return performance.now() - startedAt;
  });
  let besideLoadMs = 0;
  while (!isLoaded) besideLoadMs = Math.max(besideLoadMs, await time(search));
  return { loadMs: await loading, besideLoadMs };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A mean of several looks: a single one catches the memory as full as it happens to be. Garbage is collected before the first. */
function watchResident(): { look(): void; meanBytes(): number } {
  const looks: number[] = [];
  return {
    look() {
      if (looks.length === 0) collectGarbage();
      looks.push(process.memoryUsage().rss);
    },
    meanBytes: () => looks.reduce((sum, bytes) => sum + bytes, 0) / looks.length,
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
