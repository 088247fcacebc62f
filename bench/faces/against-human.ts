import { defaultFaceChain, faceChains, modelsOfFaceChain } from '@lynceus/engine';
import type { BenchEngine } from '../engine.js';
import { usageOf } from '../processes.js';
import { formatTable, share } from '../table.js';
import { withHuman } from './human.js';
import { accepted, type Probe, scorePairs, thresholdAt } from './pairs.js';
import type { Portrait } from './people.js';

interface Judged {
  readonly probes: readonly Probe[];
  readonly ms: readonly number[];
  /** Of all pictures together. */
  readonly cpuMs: number;
}

/** Finding and describing the faces of the same photographs, one at a time: time and accuracy. */
export async function compareWithHuman(engine: BenchEngine, people: readonly Portrait[]): Promise<void> {
  await judgeOurs(engine, people.slice(0, 4), 64);
  const alike = await judgeOurs(engine, people, 64);
  const fine = await judgeOurs(engine, people, 16);
  const theirs = await withHuman(async (human) => {
    await human.ask(people[0]?.bytes ?? Buffer.alloc(0));
    const probes: Probe[] = [];
    const ms: number[] = [];
    let cpuMs = 0;
    for (const { person, bytes } of people) {
      const answer = await human.ask(bytes);
      probes.push({ person, embedding: answer.embedding });
      ms.push(answer.ms);
      cpuMs += answer.cpuMs;
    }
    return { probes, ms, cpuMs };
  });
  const row = (name: string, { probes, ms, cpuMs }: Judged) => {
    const scores = scorePairs(probes);
    const threshold = thresholdAt(0.01, scores);
    const mean = ms.reduce((sum, value) => sum + value, 0) / ms.length;
    const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0;
    return [
      name,
      String(probes.filter(({ embedding }) => embedding).length),
      share(accepted(scores.genuine, threshold)),
      (cpuMs / ms.length).toFixed(0),
      mean.toFixed(0),
      median.toFixed(0),
    ];
  };
  console.log(
    formatTable([
      ['detection and description', 'faces found', 'TAR at FAR 1 %', 'CPU ms', 'mean ms', 'median ms'],
      row('Lynceus, faces from 64 px', alike),
      row('Lynceus, faces from 16 px', fine),
      row('@vladmandic/human, tfjs-wasm', theirs),
    ]),
  );
}

/** CPU time has decoding in it, which is done beforehand for the other library; the other times have not. */
async function judgeOurs(
  { runner, ref }: BenchEngine,
  people: readonly Portrait[],
  minFacePx: number,
): Promise<Judged> {
  const models = modelsOfFaceChain(defaultFaceChain, (id) => ref(id));
  const { minScore } = faceChains[defaultFaceChain];
  const probes: Probe[] = [];
  const ms: number[] = [];
  const before = await usageOf(process.pid);
  for (const { person, bytes } of people) {
    const { results, timingsMs } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits: { maxPixels: 50_000_000 },
        tasks: [{ task: 'faces', options: { models, minScore, minFacePx, embed: true, liveness: false } }],
      },
      { priority: 'batch' },
    );
    const [face] = results.faces?.faces ?? [];
    probes.push({ person, embedding: face?.embedding ?? null });
    ms.push(timingsMs['faces'] ?? 0);
  }
  const after = await usageOf(process.pid);
  return { probes, ms, cpuMs: 1000 * (after.cpuSeconds - before.cpuSeconds) };
}
