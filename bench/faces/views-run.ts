import { type FaceChainName, faceChains } from '@lynceus/engine';
import sharp from 'sharp';
import { type BenchEngine, startEngine } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { facesThroughEngine } from './ask-faces.js';
import { accepted, missed, scorePairs, thresholdAt } from './pairs.js';
import { type Portrait, readPeople } from './people.js';
import { similarityTable } from './similarity-table.js';
import { portraitViews } from './views.js';

/** One view of one portrait. */
interface Seen {
  readonly portrait: string;
  readonly person: string;
  readonly view: string;
  readonly embedding: Float32Array | null;
}

/** Views are few: the lowest genuine cosine of so many is one odd photograph. */
const lowestShare = 0.005;
const falseAcceptance = 1e-3;

/** Whether a person is recognised however a portrait was cut and held, for each chain. */
export async function runViews({ data, half }: { readonly data: string; readonly half: Half | undefined }) {
  const engine = await startEngine();
  try {
    const portraits = (await readPeople(data)).filter(({ person }) => isInHalf(person, half));
    const rows = [
      [
        ...['chain', 'views', 'no face', 'lost', `TAR at FAR ${falseAcceptance}`, 'lowest .5 % of genuine'],
        ...['highest impostor', 'ms a view'],
      ],
    ];
    const tables: string[] = [];
    for (const chain of Object.keys(faceChains) as FaceChainName[]) {
      const startMs = performance.now();
      const seen = await lookAtViews(engine, chain, portraits);
      const { figures, pairs } = figuresOf(
        seen,
        faceChains[chain].decisionCosine,
        performance.now() - startMs,
      );
      rows.push([chain, ...figures]);
      tables.push(similarityTable(chain, pairs));
    }
    console.log([formatTable(rows), ...tables].join('\n\n'));
  } finally {
    await engine.close();
  }
}

async function lookAtViews(
  engine: BenchEngine,
  chain: FaceChainName,
  portraits: readonly Portrait[],
): Promise<readonly Seen[]> {
  const ask = facesThroughEngine(engine, chain, { embed: true });
  const seen: Seen[] = [];
  for (const { name, person, bytes } of portraits) {
    const upright = await sharp(bytes)
      .autoOrient()
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer();
    const [own] = await ask(upright);
    if (!own) throw new Error(`${name} shows no face`);
    for (const { title, apply } of portraitViews) {
      const [face] = await ask(await apply(upright, own.box));
      seen.push({ portrait: name, person, view: title, embedding: face?.embedding ?? null });
    }
  }
  return seen;
}

function figuresOf(seen: readonly Seen[], decisionCosine: number, ms: number) {
  // Views of one portrait resemble each other in more than the person: only pairs of different portraits count.
  const pairs = { genuine: [] as number[], impostor: [] as number[] };
  const lost: string[] = [];
  for (const [index, view] of seen.entries()) {
    let best = missed;
    for (const [at, other] of seen.entries()) {
      if (other.portrait === view.portrait) continue;
      const { genuine, impostor } = scorePairs([view, other]);
      best = Math.max(best, ...genuine);
      if (at < index) continue;
      pairs.genuine.push(...genuine);
      pairs.impostor.push(...impostor.filter((score) => score !== missed));
    }
    if (best < decisionCosine) lost.push(`${view.portrait} ${view.view}: ${best.toFixed(2)}`);
  }
  for (const line of lost) console.log(`lost: ${line}`);
  const genuine = pairs.genuine.toSorted((a, b) => a - b);
  const figures = [
    String(seen.length),
    String(seen.filter(({ embedding }) => embedding === null).length),
    String(lost.length),
    share(accepted(pairs.genuine, thresholdAt(falseAcceptance, pairs))),
    share(genuine[Math.floor(lowestShare * genuine.length)] ?? Number.NaN),
    share(Math.max(...pairs.impostor)),
    (ms / seen.length).toFixed(0),
  ];
  return { figures, pairs };
}
