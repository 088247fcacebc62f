import { formatTable } from '../table.js';
import { measureAlone } from './alone.js';
import { measureChanges } from './changes.js';
import { measurePostgres } from './in-postgres.js';
import { measureOverHttp } from './over-http.js';
import { ms, type Times } from './timing.js';

const both = ({ p50Ms, p99Ms }: Times) => `${ms(p50Ms)} / ${ms(p99Ms)}`;

/** Searching and changing the face index at growing sizes; times are p50 / p99 in ms. */
export async function runFaceIndex({ only }: { readonly only: string | undefined }): Promise<void> {
  const wants = (part: string) => only === undefined || only === part;
  if (wants('alone')) await tellAlone();
  if (wants('changes')) await tellChanges();
  if (wants('postgres')) await tellPostgres();
  if (wants('http')) await tellHttp();
}

async function tellAlone(): Promise<void> {
  const rows = [
    ['faces', 'read s', 'search', 'of a person', 'bare usearch', 'ratio', 'scan', 'MB', 'loop max'],
  ];
  for (const [faces, searches] of [
    [1000, 500],
    [10_000, 300],
    [100_000, 200],
    [1_000_000, 40],
  ] as const) {
    const told = await measureAlone(faces, searches);
    rows.push([
      String(faces),
      (told.loadMs / 1000).toFixed(2),
      both(told.search),
      both(told.ofPerson),
      both(told.bare),
      told.ratio.toFixed(2),
      both(told.scan),
      told.residentMb.toFixed(0),
      ms(told.loopMaxMs),
    ]);
  }
  console.log(`The index alone\n${formatTable(rows)}\n`);
}

async function tellChanges(): Promise<void> {
  const rows = [['faces', 'read s', 'beside it', 'search', 'insert, found', 'delete, gone', 'memory']];
  for (const [faces, changes] of [
    [1000, 10_000],
    [100_000, 1000],
  ] as const) {
    const told = await measureChanges(faces, changes);
    rows.push([
      String(faces),
      (told.loadMs / 1000).toFixed(2),
      ms(told.besideLoadMs),
      both(told.search),
      both(told.insert),
      both(told.remove),
      `x ${told.memoryGrowth.toFixed(3)} over ${changes}`,
    ]);
  }
  console.log(`Over a database\n${formatTable(rows)}\n`);
}

async function tellPostgres(): Promise<void> {
  const rows = [['faces', 'read s', 'exact', 'of a person', 'HNSW made s', 'HNSW', 'HNSW right']];
  for (const [faces, searches] of [
    [1000, 100],
    [10_000, 100],
  ] as const) {
    const told = await measurePostgres(faces, searches);
    rows.push([
      String(faces),
      (told.buildMs / 1000).toFixed(1),
      both(told.exact),
      both(told.ofPerson),
      (told.hnswBuildMs / 1000).toFixed(1),
      both(told.hnsw),
      told.hnswRecall.toFixed(2),
    ]);
  }
  console.log(`pgvector, in PGlite\n${formatTable(rows)}\n`);
}

async function tellHttp(): Promise<void> {
  const rows = [['faces', 'search', 'index part', 'of a person', 'loop p99', 'loop max']];
  for (const faces of [1000, 10_000, 100_000]) {
    const told = await measureOverHttp(faces, 100);
    rows.push([
      String(faces),
      both(told.search),
      ms(told.indexMeanMs),
      both(told.ofPerson),
      ms(told.loop.p99Ms),
      ms(told.loop.maxMs),
    ]);
  }
  console.log(`By HTTP, the picture's face found and described included\n${formatTable(rows)}\n`);
}
