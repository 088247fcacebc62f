import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShareOut, type ShareOut } from './share-out.js';

interface Replica {
  readonly share: ShareOut;
  readonly max: number;
  readonly mine: Set<string>;
  /** Without ffmpeg it takes nothing, though it counts. */
  readonly canRun: boolean;
}

const replicaOf = (max = 32, canRun = true): Replica => ({
  ...{ share: createShareOut(max), max, mine: new Set(), canRun },
});

/** Lets replicas look in turn, every two seconds; answers how many streams changed hands. */
function play(replicas: readonly Replica[], wanted: readonly string[], seconds: number, fromMs = 0): number {
  let changes = 0;
  for (let nowMs = fromMs; nowMs < fromMs + seconds * 1000; nowMs += 2000) {
    for (const replica of replicas) {
      if (!replica.canRun) continue;
      const { mine } = replica;
      for (const name of mine) if (!wanted.includes(name)) mine.delete(name);
      const others = new Set(replicas.filter((each) => each !== replica).flatMap((each) => [...each.mine]));
      const { take, giveUp } = replica.share.next({
        ...{ nowMs, wanted, mine: new Set(mine), active: mine.size, others, replicas: replicas.length },
      });
      for (const name of take) mine.add(name);
      if (giveUp !== null) mine.delete(giveUp);
      changes += take.length + (giveUp === null ? 0 : 1);
    }
  }
  return changes;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `stream ${index}`);

test('a service alone takes all, up to its limit', () => {
  const [roomy, full] = [replicaOf(), replicaOf(3)];
  play([roomy], names(10), 10);
  play([full], names(10), 60);
  expect([roomy.mine.size, full.mine.size]).toEqual([10, 3]);
});

test('services share streams out, and a third one gets its share of those that run', () => {
  const replicas = [replicaOf(), replicaOf()];
  play(replicas, names(9), 10);
  expect(replicas.map(({ mine }) => mine.size)).toEqual([5, 4]);
  replicas.push(replicaOf());
  play(replicas, names(9), 60, 10_000);
  expect(replicas.map(({ mine }) => mine.size)).toEqual([3, 3, 3]);
  expect(play(replicas, names(9), 600, 70_000)).toBe(0);
});

test('streams of one that dies are taken by those that are left', () => {
  const replicas = [replicaOf(), replicaOf(), replicaOf()];
  play(replicas, names(9), 30);
  replicas.pop();
  play(replicas, names(9), 30, 30_000);
  expect(replicas.map(({ mine }) => mine.size)).toEqual([5, 4]);
});

test('what one gives up in vain it takes back, and gives up none for long', () => {
  const replicas = [replicaOf(), replicaOf(32, false)];
  play(replicas, names(4), 60);
  expect(replicas[0]?.mine.size).toBe(4);
  expect(play(replicas, names(4), 400, 60_000)).toBe(0);
});

test('all streams run where there is room for them, each once, and nothing moves for ever', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.boolean()), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 30 }),
      (described, count) => {
        const replicas = described.map(([max, canRun]) => replicaOf(max, canRun));
        const wanted = names(count);
        play(replicas, wanted, 240);
        const room = replicas.reduce((sum, { max, canRun }) => sum + (canRun ? max : 0), 0);
        const taken = replicas.flatMap(({ mine }) => [...mine]);
        expect(new Set(taken).size).toBe(taken.length);
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(room, count) - 1);
        for (const { mine, max } of replicas) expect(mine.size).toBeLessThanOrEqual(max);
        expect(play(replicas, wanted, 120, 240_000)).toBeLessThanOrEqual(2 * replicas.length);
      },
    ),
  );
});
