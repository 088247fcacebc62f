import { type FaceChainName, faceChains } from '@lynceus/engine';
import { startEngine } from '../../engine.js';
import { type Half, halfOf } from '../../half.js';
import { formatTable, share } from '../../table.js';
import { type AskFaces, facesThroughEngine } from '../ask-faces.js';
import { type Portrait, readPeople } from '../people.js';
import { countRows, type DegradedRow, type Hits, type Observation } from './count-rows.js';
import { exactInterval } from './exact-interval.js';
import { degradedKinds } from './kinds.js';
import { open, takeRaster } from './raster.js';

/** Portraits made worse on one side and on both: how often strangers match, before and after the checks, and what they cost. */
export async function runDegraded({
  data,
  half,
}: {
  readonly data: string;
  readonly half: Half | undefined;
}): Promise<void> {
  const engine = await startEngine();
  try {
    const portraits = await readPeople(data);
    for (const chain of Object.keys(faceChains) as FaceChainName[]) {
      const ask = facesThroughEngine(engine, chain, { embed: true });
      const observations: Observation[] = [];
      for (const portrait of portraits) {
        if (half === undefined || halfOf(portrait.person) === half) {
          observations.push(...(await observe(portrait, ask)));
        }
      }
      printRows(chain, observations);
    }
  } finally {
    await engine.close();
  }
}

export function printRows(chain: FaceChainName, observations: readonly Observation[]): void {
  for (const half of ['tune', 'report'] as const) {
    const rows = countRows(observations, { half, decisionCosine: faceChains[chain].decisionCosine });
    if (rows.length > 0) console.log(`\n${formatTable([headingOf(chain, half), ...rows.map(toCells)])}`);
  }
}

async function observe({ bytes, name, person }: Portrait, ask: AskFaces): Promise<Observation[]> {
  const [portrait] = await ask(bytes);
  if (portrait === undefined) throw new Error(`no face in ${name}`);
  const raster = await takeRaster(bytes, portrait);
  const observations: Observation[] = [];
  for (const { title, variants } of degradedKinds) {
    for (const [variant, degrade] of variants.entries()) {
      const image = await open(await degrade(raster))
        .png({ compressionLevel: 1 })
        .toBuffer();
      const [face] = await ask(image);
      observations.push({
        portrait: name,
        person,
        half: halfOf(person),
        title,
        variant,
        face: face && { embedding: face.embedding, problems: face.quality.problems },
      });
    }
  }
  return observations;
}

function headingOf(chain: FaceChainName, half: Half): string[] {
  return [
    `${chain}, half ${half}`,
    'strangers, one side: before',
    'after',
    'both sides: before',
    'after',
    '95 %',
    'one person: before',
    'after',
    'found',
    'flagged',
  ];
}

function toCells({ title, oneSide, bothSides, genuine, found, flagged }: DegradedRow): string[] {
  const { low, high } = exactInterval(bothSides.answered, bothSides.pairs);
  const of = ({ pairs }: Hits, hits: number) => `${hits} of ${pairs}`;
  return [
    title,
    of(oneSide, oneSide.hits),
    of(oneSide, oneSide.answered),
    of(bothSides, bothSides.hits),
    of(bothSides, bothSides.answered),
    `${share(low)} to ${share(high)}`,
    of(genuine, genuine.hits),
    of(genuine, genuine.answered),
    share(found),
    share(flagged),
  ];
}
