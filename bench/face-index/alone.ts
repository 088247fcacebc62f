import { monitorEventLoopDelay } from 'node:perf_hooks';
import usearch from 'usearch';
import type { IndexedFace } from '#server/faces/index/face-index.js';
import { createMemoryFaceIndex } from '#server/faces/index/memory-face-index.js';
import { clusteredFace, dimensions, imagesPerPerson, strangeImageOf } from './clustered-faces.js';
import { type Times, timeEach } from './timing.js';

/** The index by itself, compared with its library and with a linear scan. */
export interface AloneFigures {
  readonly faces: number;
  readonly loadMs: number;
  readonly search: Times;
  readonly ofPerson: Times;
  /** One call of the library on one matrix, in this thread. */
  readonly bare: Times;
  readonly scan: Times;
  readonly ratio: number;
  readonly residentMb: number;
  /** The longest block of this thread (in a service: the serving thread) during loading and searching. */
  readonly loopMaxMs: number;
}

const gallery = { accountId: 1, perceptionId: 1001, embedder: 'bench@1' };
const pageRows = 500;

export async function measureAlone(faces: number, searches: number): Promise<AloneFigures> {
  const residentBefore = process.memoryUsage().rss;
  const index = createMemoryFaceIndex({
    stored: {
      position: async () => 0,
      faces: () => pagesOf(faces),
      changesAfter: async (_, position) => ({ position, present: [], gone: [], mayHaveMore: false }),
    },
    maxBytes: Number.MAX_SAFE_INTEGER,
    onThreadCrashed: (error) => console.error(error),
    onDamaged: () => undefined,
  });
  const people = Math.ceil(faces / imagesPerPerson);
  const asked = (at: number) => strangeImageOf((at * 7919) % people, at);
  try {
    const startedAt = performance.now();
    await index.prepare(gallery);
    const loadMs = performance.now() - startedAt;
    const residentMb = (process.memoryUsage().rss - residentBefore) / 2 ** 20;
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const search = await timeEach(searches, (at) => index.nearestPeople(gallery, asked(at), { people: 10 }));
    const ofPerson = await timeEach(searches, (at) =>
      index.nearestPeople(gallery, asked(at), { people: 1, personId: 1001 + ((at * 7919) % people) }),
    );
    loop.disable();
    const loopMaxMs = loop.max / 1e6;
    // After the index, so that the two are never in memory for a search together longer than needed.
    const matrix = matrixOf(faces);
    const bare = await timeEach(searches, (at) =>
      usearch.exactSearch(matrix, asked(at), dimensions, Math.min(80, faces), usearch.MetricKind.IP, 1),
    );
    const scan = await timeEach(Math.min(searches, 20), (at) => scanFor(matrix, asked(at)));
    const ratio = search.p50Ms / bare.p50Ms;
    return { faces, loadMs, search, ofPerson, bare, scan, ratio, residentMb, loopMaxMs };
  } finally {
    await index.close();
  }
}

async function* pagesOf(faces: number): AsyncIterable<readonly IndexedFace[]> {
  for (let from = 0; from < faces; from += pageRows) {
    yield Array.from({ length: Math.min(pageRows, faces - from) }, (_, at) => clusteredFace(from + at));
  }
}

function matrixOf(faces: number): Float32Array {
  const matrix = new Float32Array(faces * dimensions);
  for (let at = 0; at < faces; at += 1) matrix.set(clusteredFace(at).vector, at * dimensions);
  return matrix;
}

/** The nearest row by a plain loop. */
function scanFor(matrix: Float32Array, query: Float32Array): number {
  let [best, bestRow] = [-2, -1];
  for (let row = 0, from = 0; from < matrix.length; row += 1, from += dimensions) {
    let sum = 0;
    for (let at = 0; at < dimensions; at += 1) sum += (matrix[from + at] ?? 0) * (query[at] ?? 0);
    if (sum > best) [best, bestRow] = [sum, row];
  }
  return bestRow;
}
