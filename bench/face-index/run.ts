import { describeHeld } from '../event-loop.js';
import { formatTable } from '../table.js';
import { measureAlone } from './alone.js';
import { measureChanges } from './changes.js';
import { measurePostgres } from './in-postgres.js';
import { measureOverHttp } from './over-http.js';
import { measureOverReplicas } from './over-replicas.js';
import { ms, type Times } from './timing.js';

const both = ({ p50Ms, p99Ms }: Times) => `${ms(p50Ms)} / ${ms(p99Ms)}`;

const parts = ['alone', 'changes', 'postgres', 'http', 'replicas'] as const;

/** Searching and changing the face index at growing sizes, up to so many stored faces; times are p50 / p99 in ms. */
export async function runFaceIndex(asked: {
  readonly only: string | undefined;
  readonly faces: number;
}): Promise<void> {
  const { only, faces: most } = asked;
  if (only !== undefined && !parts.some((part) => part === only)) {
    throw new Error(`--only must be one of ${parts.join(', ')}, or left out`);
  }
  if (!(Number.isInteger(most) && most > 0)) throw new Error('--faces must be a whole number above 0');
  const wants = (part: (typeof parts)[number]) => only === undefined || only === part;
  if (wants('alone')) await reportAlone(most);
  if (wants('changes')) await reportChanges(most);
  if (wants('postgres')) await reportPostgres(most);
  if (wants('http')) await reportHttp(most);
  if (wants('replicas')) await reportReplicas(most);
}

type Size = readonly [faces: number, times: number];

/** Those of the sizes that are wanted; the smallest is cut down to what is. */
function sizesUpTo(most: number, sizes: readonly Size[]): readonly Size[] {
  const wanted = sizes.filter(([faces]) => faces <= most);
  return wanted.length > 0 ? wanted : sizes.slice(0, 1).map(([, times]): Size => [most, times]);
}

async function reportAlone(most: number): Promise<void> {
  const rows = [
    ['faces', 'read s', 'search', 'of a person', 'bare usearch', 'ratio', 'scan', 'MB', 'loop max'],
  ];
  for (const [faces, searches] of sizesUpTo(most, [
    [1000, 500],
    [10_000, 300],
    [100_000, 200],
    [1_000_000, 40],
  ])) {
    const figures = await measureAlone(faces, searches);
    rows.push([
      String(faces),
      (figures.loadMs / 1000).toFixed(2),
      both(figures.search),
      both(figures.ofPerson),
      both(figures.bare),
      figures.ratio.toFixed(2),
      both(figures.scan),
      figures.residentMb.toFixed(0),
      ms(figures.loopMaxMs),
    ]);
  }
  console.log(`The index alone\n${formatTable(rows)}\n`);
}

async function reportChanges(most: number): Promise<void> {
  const rows = [['faces', 'read s', 'beside it', 'search', 'insert, found', 'delete, gone', 'memory']];
  for (const [faces, changes] of sizesUpTo(most, [
    [1000, 10_000],
    [100_000, 1000],
  ])) {
    const figures = await measureChanges(faces, changes);
    rows.push([
      String(faces),
      (figures.loadMs / 1000).toFixed(2),
      ms(figures.besideLoadMs),
      both(figures.search),
      both(figures.insert),
      both(figures.remove),
      `x ${figures.memoryGrowth.toFixed(3)} over ${changes} (${figures.residentMb.toFixed(0)} MB)`,
    ]);
  }
  console.log(`Over a database\n${formatTable(rows)}\n`);
}

async function reportPostgres(most: number): Promise<void> {
  const rows = [['faces', 'read s', 'exact', 'of a person', 'HNSW made s', 'HNSW', 'HNSW right']];
  for (const [faces, searches] of sizesUpTo(most, [
    [1000, 100],
    [10_000, 100],
  ])) {
    const figures = await measurePostgres(faces, searches);
    rows.push([
      String(faces),
      (figures.buildMs / 1000).toFixed(1),
      both(figures.exact),
      both(figures.ofPerson),
      (figures.hnswBuildMs / 1000).toFixed(1),
      both(figures.hnsw),
      figures.hnswRecall.toFixed(2),
    ]);
  }
  console.log(`pgvector, in PGlite\n${formatTable(rows)}\n`);
}

async function reportHttp(most: number): Promise<void> {
  const rows = [['faces', 'search', 'index part', 'of a person', 'loop p99', 'held for']];
  for (const [faces, searches] of sizesUpTo(most, [
    [1000, 100],
    [10_000, 100],
    [100_000, 100],
  ])) {
    const figures = await measureOverHttp(faces, searches);
    rows.push([
      String(faces),
      both(figures.search),
      ms(figures.indexMeanMs),
      both(figures.ofPerson),
      ms(figures.loop.p99Ms),
      describeHeld(figures.loop),
    ]);
  }
  console.log(
    `By HTTP, the image's face found and described included; an idle loop shows 10 ms\n${formatTable(rows)}\n`,
  );
}

async function reportReplicas(most: number): Promise<void> {
  const rows = [
    ['faces', 'stored s', 'read s', 'search', 'index part', 'of a person', 'change found ms', 'MB'],
  ];
  for (const [faces, searches] of sizesUpTo(most, [
    [100_000, 100],
    [1_000_000, 100],
  ])) {
    const figures = await measureOverReplicas(faces, searches);
    rows.push([
      String(faces),
      (figures.fillMs / 1000).toFixed(0),
      figures.loadMs.map((each) => (each / 1000).toFixed(1)).join(' / '),
      both(figures.search),
      ms(figures.indexMeanMs),
      both(figures.ofPerson),
      ms(figures.changeMs),
      figures.residentMb.map((each) => each.toFixed(0)).join(' / '),
    ]);
  }
  console.log(`Two replicas behind nginx, one client\n${formatTable(rows)}\n`);
}
