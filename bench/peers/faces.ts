import { defaultFaceChain } from '@lynceus/engine';
import { type BenchEngine, startEngine } from '../engine.js';
import { facesThroughEngine } from '../faces/ask-faces.js';
import { accepted, scorePairs, thresholdAt } from '../faces/pairs.js';
import { type Portrait, readPeople } from '../faces/people.js';
import { cpuSecondsOf, withDescendants } from '../processes.js';
import { formatTable, share } from '../table.js';
import { withHuman } from './human.js';

/** Runs of each contender on each image; the first one is not counted. */
const rounds = 4;

interface Contender {
  readonly name: string;
  /** The embedding of the largest face, from the encoded image. */
  readonly ask: (bytes: Uint8Array) => Promise<Float32Array | null>;
}

interface Judged {
  /** One an image. */
  readonly embeddings: (Float32Array | null)[];
  readonly ms: number[];
  /** Of all images together. */
  cpuMs: number;
}

/**
 * Detection and embedding of the faces of the same photographs, from the encoded image to the answer: one thread each, both
 * warm. They alternate image by image, so that a change of the machine's speed affects all.
 */
export async function compareFaces({ data }: { readonly data: string }): Promise<void> {
  const engine = await startEngine();
  try {
    await compareWithHuman(engine, await readPeople(data));
  } finally {
    await engine.close();
  }
}

async function compareWithHuman(engine: BenchEngine, people: readonly Portrait[]): Promise<void> {
  await withHuman(async (human) => {
    const contenders: Contender[] = [
      ...[64, 16].map((minFacePx) => ({
        name: `Lynceus, faces from ${minFacePx} px`,
        ask: largestFace(engine, minFacePx),
      })),
      {
        name: `@vladmandic/human, tfjs-wasm${human.isThreaded ? ', several threads' : ''}`,
        ask: async (bytes) => (await human.ask(bytes)).embedding,
      },
    ];
    const judged = await judgeAlternately(contenders, people);
    const theirs = judged.at(-1);
    console.log(
      formatTable([
        [
          'detection and embedding',
          'faces found',
          'TAR at FAR 1 %',
          'CPU ms',
          'mean ms',
          'median ms',
          'times faster (CPU)',
        ],
        ...contenders.map(({ name }, index) => rowOf(name, judged[index], theirs, people)),
      ]),
    );
  });
}

function largestFace(engine: BenchEngine, minFacePx: number): Contender['ask'] {
  const find = facesThroughEngine(engine, defaultFaceChain, { embed: true, minFacePx });
  return async (bytes) => (await find(bytes))[0]?.embedding ?? null;
}

async function judgeAlternately(
  contenders: readonly Contender[],
  people: readonly Portrait[],
): Promise<Judged[]> {
  const judged = contenders.map((): Judged => ({ embeddings: [], ms: [], cpuMs: 0 }));
  const pids = await withDescendants(process.pid);
  for (let round = 0; round < rounds; round++) {
    for (const { bytes } of people) {
      for (const [index, { ask }] of contenders.entries()) {
        const before = await cpuSecondsOf(pids);
        const start = performance.now();
        const embedding = await ask(bytes);
        const ms = performance.now() - start;
        const cpuSeconds = (await cpuSecondsOf(pids)) - before;
        const mine = judged[index];
        if (round === 0) mine?.embeddings.push(embedding);
        else mine?.ms.push(ms);
        if (mine && round > 0) mine.cpuMs += 1000 * cpuSeconds;
      }
    }
  }
  return judged;
}

function rowOf(
  name: string,
  judged: Judged | undefined,
  theirs: Judged | undefined,
  people: readonly Portrait[],
): string[] {
  if (!judged || !theirs) return [name];
  const { embeddings, ms, cpuMs } = judged;
  const probes = people.map(({ person }, index) => ({ person, embedding: embeddings[index] ?? null }));
  const scores = scorePairs(probes);
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0;
  return [
    name,
    String(embeddings.filter((embedding) => embedding).length),
    share(accepted(scores.genuine, thresholdAt(0.01, scores))),
    (cpuMs / ms.length).toFixed(0),
    meanOf(ms).toFixed(0),
    median.toFixed(0),
    `${(meanOf(theirs.ms) / meanOf(ms)).toFixed(1)} (${(theirs.cpuMs / cpuMs).toFixed(1)})`,
  ];
}
