import { defaultFaceChain, faceChains, modelsOfFaceChain } from '@lynceus/engine';
import type { BenchEngine } from '../engine.js';
import { formatTable, share } from '../table.js';
import { withHuman } from './human.js';
import { accepted, type Probe, scorePairs, thresholdAt } from './pairs.js';
import type { Portrait } from './people.js';

interface Judged {
  readonly probes: readonly Probe[];
  /** Of the second run of each picture, when everything is warm. */
  readonly ms: readonly number[];
}

/** Finding and describing the faces of the same photographs, one at a time: time and accuracy. */
export async function compareWithHuman(engine: BenchEngine, people: readonly Portrait[]): Promise<void> {
  const ours = await judgeOurs(engine, people);
  const theirs = await withHuman(async (human) => {
    await human.ask(people[0]?.bytes ?? Buffer.alloc(0));
    const probes: Probe[] = [];
    const ms: number[] = [];
    for (const { person, bytes } of people) {
      const answer = await human.ask(bytes);
      probes.push({ person, embedding: answer.embedding });
      ms.push(answer.ms);
    }
    return { probes, ms };
  });
  const row = (name: string, { probes, ms }: Judged) => {
    const scores = scorePairs(probes);
    const threshold = thresholdAt(0.01, scores);
    const mean = ms.reduce((sum, value) => sum + value, 0) / ms.length;
    const median = [...ms].sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0;
    return [
      name,
      String(probes.filter(({ embedding }) => embedding).length),
      share(accepted(scores.genuine, threshold)),
      mean.toFixed(0),
      median.toFixed(0),
    ];
  };
  console.log(
    formatTable([
      [
        'detection and description, without decoding',
        'faces found',
        'TAR at FAR 1 %',
        'mean ms',
        'median ms',
      ],
      row('Lynceus, one process', ours),
      row('@vladmandic/human, tfjs-wasm', theirs),
    ]),
  );
}

async function judgeOurs({ runner, ref }: BenchEngine, people: readonly Portrait[]): Promise<Judged> {
  const models = modelsOfFaceChain(defaultFaceChain, (id) => ref(id));
  const { minScore } = faceChains[defaultFaceChain];
  const probes: Probe[] = [];
  const ms: number[] = [];
  for (const { person, bytes } of people) {
    const { results, timingsMs } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits: { maxPixels: 50_000_000 },
        tasks: [{ task: 'faces', options: { models, minScore, embed: true, liveness: false } }],
      },
      { priority: 'batch' },
    );
    const [face] = results.faces?.faces ?? [];
    probes.push({ person, embedding: face?.embedding ?? null });
    ms.push(timingsMs['faces'] ?? 0);
  }
  return { probes, ms };
}
