import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventLoopDelay, readEventLoopDelay } from '../event-loop.js';
import { waitedForCoreMs } from '../processes.js';
import { apiKinds } from './api-kinds.js';
import { badKinds } from './bad-kinds.js';
import { brokenKinds } from './broken-kinds.js';
import { createDeck } from './deck.js';
import { faceKinds } from './face-kinds.js';
import { goodKinds } from './good-kinds.js';
import type { Kind, Scene } from './kind.js';
import { startLoadedService } from './loaded-service.js';
import { type MemoryWatch, watchMemory } from './memory.js';
import { busy } from './outcome.js';
import { type Manner, type SlowEnds, startSlowClients } from './slow-clients.js';
import { createTally, type Segment, type Tally } from './tally.js';
import { createVisitor } from './visitor.js';

export interface LoadOptions {
  readonly minutes: number;
  readonly clients: number;
  readonly slowClients: number;
  /** Called with the progress of the run. */
  readonly log: (line: string) => void;
}

/** Measurements of one stretch of the run: with and without slow clients alternately. */
export interface Stretch {
  readonly segment: Segment;
  readonly delay: EventLoopDelay;
  /** Share of the time in which the serving thread could have worked and had no core: others' doing. */
  readonly waitShare: number;
  readonly servingBytes: number;
  readonly openFiles: number;
}

export interface LoadReport {
  readonly kinds: readonly Kind[];
  readonly tally: Tally;
  readonly stretches: readonly Stretch[];
  /** Mean bytes of all processes in each quarter. */
  readonly quarterBytes: readonly number[];
  readonly slow: { readonly ends: Readonly<Record<Manner, SlowEnds>>; readonly overdue: number };
  readonly counted: { readonly key: number; readonly fickle: number };
}

const allKinds: readonly Kind[] = [...goodKinds, ...faceKinds, ...badKinds, ...brokenKinds, ...apiKinds];

const clientNiceness = 10;
const logEveryMs = 10_000;
/** What `Retry-After` asks of a client that was answered busy. */
const busyPauseMs = 1000;
/** How long after its time is over a connection may still be there: the service looks every 2 s, and refusals linger. */
const closingSlackMs = 9000;
const headersTimeoutMs = 15_000;

/** Runs the whole load in stretches, every second one with slow clients. */
export async function runWholeLoad(options: LoadOptions): Promise<LoadReport> {
  const { minutes, clients, slowClients, log } = options;
  const stretchesMs = planStretches(minutes * 60_000);
  // Short enough for slow bodies to run out of time within their stretch.
  const slowStretchMs = stretchesMs[1] ?? 0;
  const requestTimeoutMs = Math.min(
    60_000,
    Math.round(slowStretchMs / 2),
    slowStretchMs - closingSlackMs - 1000,
  );
  const loaded = await startLoadedService({ requestTimeoutMs });
  const { service, scene } = loaded;
  const memory = watchMemory(service.pid);
  // Clients are elsewhere in life, and take no core from the service.
  setPriority(clientNiceness);
  try {
    const tally = createTally();
    const run = { over: false, segment: 'alone' as Segment };
    await readEventLoopDelay(service);
    const startedAt = performance.now();
    const asking = Promise.all(Array.from({ length: clients }, () => keepAsking(scene, tally, run)));
    const progress = setInterval(
      () => log(progressLine(tally, memory, performance.now() - startedAt)),
      logEveryMs,
    );

    const headersMs = Math.min(headersTimeoutMs, requestTimeoutMs) + closingSlackMs;
    const bodiesMs = requestTimeoutMs + closingSlackMs;
    const maxOpenMs = {
      silent: headersMs,
      'headers byte by byte': headersMs,
      'upload byte by byte': bodiesMs,
      'JSON byte by byte': bodiesMs,
    };
    const stretches: Stretch[] = [];
    let ends: LoadReport['slow']['ends'] | undefined;
    let overdue = 0;
    for (const [index, stretchMs] of stretchesMs.entries()) {
      run.segment = index % 2 === 0 ? 'alone' : 'with slow clients';
      const from = performance.now();
      const waitedMs = await waitedForCoreMs(service.pid);
      const slow =
        run.segment === 'alone'
          ? undefined
          : startSlowClients({ ...scene, key: scene.fickleKey, count: slowClients, maxOpenMs });
      // A fault of a client of ours ends the run.
      await Promise.race([sleep(stretchMs), asking]);
      stretches.push({
        segment: run.segment,
        delay: await readEventLoopDelay(service),
        waitShare: ((await waitedForCoreMs(service.pid)) - waitedMs) / (performance.now() - from),
        servingBytes: memory.meanServingBytes((from + performance.now()) / 2, performance.now()),
        openFiles: await memory.openFiles(),
      });
      overdue += slow?.stop() ?? 0;
      ends = slow?.closed ?? ends;
    }
    const quarterMs = (performance.now() - startedAt) / 4;
    const quarterBytes = [0, 1, 2, 3].map((quarter) =>
      memory.meanBytes(startedAt + quarter * quarterMs, startedAt + (quarter + 1) * quarterMs),
    );
    run.over = true;
    await asking;
    clearInterval(progress);
    if (ends === undefined) throw new Error('no stretch had slow clients');
    const counted = await loaded.countedCalls();
    return { kinds: allKinds, tally, stretches, quarterBytes, slow: { ends, overdue }, counted };
  } finally {
    memory.stop();
    await loaded.stop();
  }
}

/** Nine of equal length; three in a short run, most of which is that with slow clients: they must run out of time in it. */
function planStretches(totalMs: number): readonly number[] {
  const shares = totalMs < 5 * 60_000 ? [1, 2, 1] : Array<number>(9).fill(1);
  const sum = shares.reduce((all, share) => all + share);
  return shares.map((share) => (share / sum) * totalMs);
}

/** One client: the next request when the last is answered. */
async function keepAsking(
  scene: Scene,
  tally: Tally,
  run: { readonly over: boolean; readonly segment: Segment },
): Promise<void> {
  const deal = createDeck(allKinds);
  const visitor = createVisitor(scene.url);
  while (!run.over) {
    const kind = deal();
    const { segment } = run;
    const sentAt = performance.now();
    const outcome = await kind.send(visitor, scene);
    tally.note(kind, outcome, performance.now() - sentAt, segment);
    if (outcome === busy) await sleep(busyPauseMs);
  }
  await visitor.close();
}

function progressLine(tally: Tally, memory: MemoryWatch, elapsedMs: number): string {
  const rows = tally.rows();
  const sum = (of: typeof rows) => of.reduce((total, { times }) => total + times, 0);
  const seconds = Math.round(elapsedMs / 1000);
  const undocumented = sum(rows.filter((row) => !row.isDocumented));
  const busyAnswers = sum(rows.filter((row) => row.outcome === busy));
  return (
    `${String(seconds).padStart(4)} s  ${tally.answered} answered, ${tally.counted.key + tally.counted.fickle} calls, ` +
    `${busyAnswers} busy, ${undocumented} undocumented, ${Math.round(memory.residentBytes / 2 ** 20)} MiB`
  );
}
