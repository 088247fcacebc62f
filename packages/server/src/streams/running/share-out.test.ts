import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShareOut, type MineStream, type ShareOut, type WantedStream } from './share-out.js';

interface Replica {
  readonly share: ShareOut;
  readonly max: number;
  readonly mine: Map<string, MineStream>;
  /** Without ffmpeg it takes nothing, though it counts. */
  readonly canRun: boolean;
}

const replicaOf = (max = 32, canRun = true): Replica => ({
  ...{ share: createShareOut(max), max, mine: new Map(), canRun },
});

interface Play {
  readonly seconds: number;
  readonly fromMs?: number;
  /** Names of streams whose cameras send nothing. */
  readonly dead?: ReadonlySet<string>;
  /** Called after each round of looks. */
  readonly onLook?: (nowMs: number) => void;
}

/** Lets replicas look in turn, every two seconds; answers how many streams changed hands. */
function play(
  replicas: readonly Replica[],
  wanted: readonly WantedStream[],
  { seconds, fromMs = 0, dead = new Set(), onLook }: Play,
): number {
  let changes = 0;
  const isWanted = new Set(wanted.map(({ name }) => name));
  for (let nowMs = fromMs; nowMs < fromMs + seconds * 1000; nowMs += 2000) {
    for (const replica of replicas) {
      if (!replica.canRun) continue;
      const { mine } = replica;
      for (const [name, stream] of mine) {
        if (!isWanted.has(name)) mine.delete(name);
        else if (!dead.has(name) && nowMs > stream.sinceMs) mine.set(name, { ...stream, lastFrameMs: nowMs });
      }
      const others = new Set(
        replicas.filter((each) => each !== replica).flatMap((each) => [...each.mine.keys()]),
      );
      const { take, giveUp, makeRoom } = replica.share.next({
        ...{ nowMs, wanted, mine: new Map(mine), others, replicas: replicas.length },
      });
      for (const name of take) mine.set(name, { isActive: true, sinceMs: nowMs, lastFrameMs: nowMs });
      for (const name of [giveUp, makeRoom]) if (name !== null) mine.delete(name);
      changes += take.length + [giveUp, makeRoom].filter((name) => name !== null).length;
    }
    onLook?.(nowMs);
  }
  return changes;
}

const names = (count: number, accountId = 1): readonly WantedStream[] =>
  Array.from({ length: count }, (_, index) => ({ name: `stream ${accountId} ${index}`, accountId }));
const namesOf = (streams: readonly WantedStream[]) => new Set(streams.map(({ name }) => name));
const countOf = (replicas: readonly Replica[], accountId: number) =>
  replicas.flatMap(({ mine }) => [...mine.keys()]).filter((name) => name.startsWith(`stream ${accountId} `))
    .length;

test('a service alone takes all, up to its limit', () => {
  const [roomy, full] = [replicaOf(), replicaOf(3)];
  play([roomy], names(10), { seconds: 10 });
  play([full], names(10), { seconds: 60 });
  expect([roomy.mine.size, full.mine.size]).toEqual([10, 3]);
});

test('services share streams out, and a third one gets its share of those that run', () => {
  const replicas = [replicaOf(), replicaOf()];
  play(replicas, names(9), { seconds: 10 });
  expect(replicas.map(({ mine }) => mine.size)).toEqual([5, 4]);
  replicas.push(replicaOf());
  play(replicas, names(9), { seconds: 60, fromMs: 10_000 });
  expect(replicas.map(({ mine }) => mine.size)).toEqual([3, 3, 3]);
  expect(play(replicas, names(9), { seconds: 600, fromMs: 70_000 })).toBe(0);
});

test('streams of one that dies are taken by those that are left', () => {
  const replicas = [replicaOf(), replicaOf(), replicaOf()];
  play(replicas, names(9), { seconds: 30 });
  replicas.pop();
  play(replicas, names(9), { seconds: 30, fromMs: 30_000 });
  expect(replicas.map(({ mine }) => mine.size)).toEqual([5, 4]);
});

test('what one gives up in vain it takes back, and gives up none for long', () => {
  const replicas = [replicaOf(), replicaOf(32, false)];
  play(replicas, names(4), { seconds: 60 });
  expect(replicas[0]?.mine.size).toBe(4);
  expect(play(replicas, names(4), { seconds: 400, fromMs: 60_000 })).toBe(0);
});

test('all streams run where there is room for them, each once, and nothing moves for ever', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.boolean()), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 30 }),
      (described, count) => {
        const replicas = described.map(([max, canRun]) => replicaOf(max, canRun));
        const wanted = names(count);
        play(replicas, wanted, { seconds: 240 });
        const room = replicas.reduce((sum, { max, canRun }) => sum + (canRun ? max : 0), 0);
        const taken = replicas.flatMap(({ mine }) => [...mine.keys()]);
        expect(new Set(taken).size).toBe(taken.length);
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(room, count) - 1);
        for (const { mine, max } of replicas) expect(mine.size).toBeLessThanOrEqual(max);
        expect(play(replicas, wanted, { seconds: 120, fromMs: 240_000 })).toBeLessThanOrEqual(
          2 * replicas.length,
        );
      },
    ),
  );
});

test.each([1, 2, 4, 32])(
  'with %i places taken by one account, another gets a turn within a minute, and then its share',
  (max) => {
    for (const dead of [new Set<string>(), namesOf(names(100))]) {
      const replica = replicaOf(max);
      play([replica], names(100), { seconds: 600, dead });
      // One place may pass from one dead stream to the next at this moment.
      expect(countOf([replica], 1)).toBeGreaterThanOrEqual(max - 1);
      const both = [...names(100), ...names(max, 2)];
      let firstMs = Number.POSITIVE_INFINITY;
      play([replica], both, {
        ...{ seconds: 300, fromMs: 600_000, dead },
        onLook(nowMs) {
          if (countOf([replica], 2) > 0) firstMs = Math.min(firstMs, nowMs - 600_000);
        },
      });
      expect(firstMs).toBeLessThan(60_000);
      if (max > 1) expect(countOf([replica], 2)).toBeGreaterThanOrEqual(max / 2);
    }
  },
);

test('with more accounts than places each gets a turn, again and again', () => {
  const replica = replicaOf(3);
  const wanted = [1, 2, 3, 4, 5].flatMap((accountId) => names(accountId === 1 ? 50 : 1, accountId));
  const turns = new Map<number, number>();
  play([replica], wanted, {
    seconds: 1200,
    onLook() {
      for (const { accountId } of wanted)
        if (countOf([replica], accountId) > 0) turns.set(accountId, (turns.get(accountId) ?? 0) + 1);
    },
  });
  const total = [...turns.values()].reduce((sum, count) => sum + count, 0);
  expect([...turns.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
  for (const count of turns.values()) expect(count / total).toBeGreaterThan(0.01);
});

test('streams without frames hold no place for good: those that wait all have their turn, and keep it where they have frames', () => {
  const replica = replicaOf(4);
  const wanted = names(12);
  const dead = namesOf(wanted.slice(0, 8));
  const seen = new Set<string>();
  play([replica], wanted, {
    ...{ seconds: 600, dead },
    onLook() {
      for (const name of replica.mine.keys()) seen.add(name);
    },
  });
  expect(seen.size).toBe(12);
  expect([...replica.mine.keys()].sort()).toEqual([...namesOf(wanted.slice(8))].sort());
  // One whose camera sends again has a place as soon as there is one.
  const left = wanted.slice(0, 11);
  play([replica], left, { seconds: 1000, fromMs: 600_000, dead: namesOf(wanted.slice(1, 8)) });
  expect([...replica.mine.keys()]).toContain('stream 1 0');
});

test('streams that all have frames change no places within an account, and none are moved where accounts have their share', () => {
  const replica = replicaOf(8);
  const wanted = [...names(20), ...names(20, 2), ...names(2, 3)];
  play([replica], wanted, { seconds: 300 });
  expect([1, 2, 3].map((accountId) => countOf([replica], accountId))).toEqual([3, 3, 2]);
  expect(play([replica], wanted, { seconds: 1200, fromMs: 300_000 })).toBe(0);
});

test('replicas that are all full share their places among accounts', () => {
  const replicas = [replicaOf(8), replicaOf(8)];
  play(replicas, names(30), { seconds: 300 });
  const both = [...names(30), ...names(6, 2)];
  play(replicas, both, { seconds: 60, fromMs: 300_000 });
  expect(countOf(replicas, 2)).toBeGreaterThan(0);
  play(replicas, both, { seconds: 540, fromMs: 360_000 });
  expect(countOf(replicas, 2)).toBe(6);
  expect(countOf(replicas, 1)).toBe(10);
});

test('of streams whose schedules begin together no more are kept than there are places', () => {
  const share = createShareOut(4);
  const mine = new Map(
    names(6).map(({ name }) => [name, { isActive: true, sinceMs: 0, lastFrameMs: 1000 }] as const),
  );
  const look = { nowMs: 1000, wanted: names(6), others: new Set<string>(), replicas: 1 };
  expect(share.next({ ...look, mine }).makeRoom).toBe('stream 1 5');
});

test('those that wait are named, and none where there is room', () => {
  const share = createShareOut(2);
  const mine = new Map(
    names(2).map(({ name }) => [name, { isActive: true, sinceMs: 0, lastFrameMs: 100_000 }] as const),
  );
  const look = { mine, others: new Set<string>(), replicas: 1 };
  expect(share.next({ ...look, nowMs: 0, wanted: names(4) }).waiting).toEqual([]);
  expect(share.next({ ...look, nowMs: 25_000, wanted: names(4) }).waiting).toEqual([
    'stream 1 2',
    'stream 1 3',
  ]);
  expect(share.next({ ...look, nowMs: 30_000, wanted: names(2) }).waiting).toEqual([]);
});

test('a stream that takes its time to stop makes room once, and no other makes room for the same one', () => {
  const share = createShareOut(2);
  const [dead, silent, waiting, late] = names(4).map(({ name }) => name);
  if (!dead || !silent || !waiting || !late) throw new Error('too few names');
  const here = (name: string) => [name, { isActive: true, sinceMs: 0, lastFrameMs: 0 }] as const;
  const roomAt = (nowMs: number, wanted: readonly string[], mine: readonly string[]) =>
    share.next({
      ...{ nowMs, others: new Set<string>(), replicas: 1 },
      wanted: wanted.map((name) => ({ name, accountId: 1 })),
      mine: new Map(mine.map(here)),
    }).makeRoom;
  const both = [dead, silent];
  const atOnce = Array.from({ length: 10 }, (_, look) =>
    roomAt(40_000 + look * 2000, [...both, waiting], both),
  );
  expect(atOnce).toEqual([null, null, dead, ...Array(7).fill(null)]);
  // Another one that waits needs a place of its own.
  const more = Array.from({ length: 4 }, (_, look) =>
    roomAt(60_000 + look * 2000, [...both, waiting, late], both),
  );
  expect(more).toEqual([null, null, silent, null]);
});
