import { createTracker } from '#server/streams/tracking/byte-tracker.js';
import { bootstrapInterval } from '../accuracy/bootstrap.js';
import type { Half } from '../half.js';
import { formatTable, share } from '../table.js';
import { type Comparison, compareOnKind } from './evaluate.js';
import { addCounts, idf1, type MotCounts, mota } from './mot-metrics.js';
import { byVotes, judgeNames, majority, type Namer, simulateFaceTracks, singleLook } from './names.js';
import { compareOnRendered } from './rendered.js';
import { sceneKinds } from './scenes.js';
import { stageSize } from './world.js';

/** Scenes of each kind; those of ten minutes take as long as twenty others. */
const seeds = 12;
const longSeeds = 4;
const renderedScenes = 12;
const faceTracks = 3000;
const errorRates = [0.05, 0.15, 0.3];

/**
 * Tracking on scenes whose truth is known, against greedy matching by overlap, and names by votes. Constants of the tracker are chosen with
 * `tune`; `report` has other seeds, other photographs, and kinds of scenes that nothing was chosen by.
 */
export async function runTracking({
  data,
  half,
}: {
  readonly data: string | undefined;
  readonly half: Half;
}): Promise<void> {
  const firstSeed = half === 'tune' ? 1 : 301;
  const rows = [heading];
  const all: Comparison[] = [];
  for (const kind of sceneKinds) {
    if (half === 'tune' && kind.isHeldOut) continue;
    const isLong = kind.name.startsWith('park');
    const comparisons = Array.from({ length: isLong ? longSeeds : seeds }, (_, index) =>
      compareOnKind(kind, firstSeed + index),
    );
    if (!kind.name.startsWith('parked')) all.push(...comparisons);
    rows.push(rowOf(`${kind.name}: ${kind.shows}`, comparisons));
  }
  rows.push(rowOf('all', all));
  console.log(`${formatTable(rows)}\n`);
  if (data !== undefined) {
    const rendered = await compareOnRendered({ data, half, scenes: renderedScenes });
    console.log(`${formatTable([heading, rowOf('rendered, found by coco-fast', rendered)])}\n`);
  }
  console.log(`${namesTable(firstSeed)}\n`);
  console.log(`50 tracks and 50 objects: ${updateCpuMs(50).toFixed(2)} ms of CPU time a frame`);
}

const heading = [
  'scenes',
  'IDF1',
  'greedy',
  'lead',
  'possible',
  'MOTA',
  'greedy',
  'switches',
  'greedy',
  'tracks an object',
  'greedy',
];

function rowOf(name: string, comparisons: readonly Comparison[]): string[] {
  const { ours, greedy, best } = sumOf(comparisons);
  const both = (figure: (counts: MotCounts) => string) => [figure(ours), figure(greedy)];
  return [
    name,
    withInterval(comparisons, (sum) => idf1(sum.ours)),
    share(idf1(greedy)),
    withInterval(comparisons, (sum) => idf1(sum.ours) - idf1(sum.greedy)),
    share(idf1(best)),
    ...both((counts) => share(mota(counts))),
    ...both(({ switches }) => String(switches)),
    ...both(({ tracks, objects }) => (tracks / objects).toFixed(2)),
  ];
}

/** The figure of all scenes together, with its 95 % interval over scenes. */
function withInterval(comparisons: readonly Comparison[], figure: (sum: Comparison) => number): string {
  const { low, high } = bootstrapInterval(comparisons.length, (weights) =>
    figure(sumOf(comparisons.flatMap((each, index) => Array<Comparison>(weights[index] ?? 0).fill(each)))),
  );
  return `${share(figure(sumOf(comparisons)))} (${share(low)} to ${share(high)})`;
}

function sumOf(comparisons: readonly Comparison[]): Comparison {
  return {
    ours: addCounts(comparisons.map(({ ours }) => ours)),
    greedy: addCounts(comparisons.map(({ greedy }) => greedy)),
    best: addCounts(comparisons.map(({ best }) => best)),
  };
}

function namesTable(seed: number): string {
  const namers: [string, Namer][] = [
    ['single looks', singleLook],
    ['majority', majority],
    ['votes', byVotes()],
  ];
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  const rows = errorRates.flatMap((errorRate) => {
    const tracks = simulateFaceTracks(faceTracks, errorRate, seed);
    return namers.map(([name, namer]) => {
      const { right, wrong, everWrong, strangersNamed, strangersEverNamed } = judgeNames(tracks, namer);
      return [
        percent(errorRate),
        name,
        ...[right, wrong, everWrong, strangersNamed, strangersEverNamed].map(percent),
      ];
    });
  });
  return formatTable([
    [
      'wrong looks',
      'name by',
      'right at the end',
      'wrong at the end',
      'ever wrong',
      'strangers named at the end',
      'ever',
    ],
    ...rows,
  ]);
}

/** CPU time of a frame in which every object is somewhere else by a pixel, after some frames to warm up. */
function updateCpuMs(count: number): number {
  const tracker = createTracker();
  const show = (frame: number) => {
    const detections = Array.from({ length: count }, (_, index) => {
      const [x, y] = [20 + ((index * 97) % 1240) + frame, 60 + ((index * 53) % 600)];
      return {
        box: { xMin: x, yMin: y, xMax: x + 40, yMax: y + 60 },
        score: 0.8,
        label: { title: 'person' },
      };
    });
    tracker.update({ atMs: frame * 200, ...stageSize, detections });
  };
  for (let frame = 0; frame < 50; frame++) show(frame);
  const before = process.cpuUsage();
  for (let frame = 50; frame < 250; frame++) show(frame);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / 200;
}
