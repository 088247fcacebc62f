import { type FaceChainName, faceChains } from '@lynceus/engine';
import { startEngine } from '../../engine.js';
import { type Half, halfOf } from '../../half.js';
import { formatTable, share } from '../../table.js';
import { type AskFaces, facesThroughEngine } from '../ask-faces.js';
import { type Portrait, readPeople } from '../people.js';
import { readBystanders } from './bystanders.js';
import { countRows, type DegradedRow, type Hits, type Observation } from './count-rows.js';
import { exactInterval } from './exact-interval.js';
import { type DegradedKind, degradedKinds, undamaged } from './kinds.js';
import { open, takeRaster } from './raster.js';

/** Portraits made worse on one side and on both: how often strangers match, before and after the checks, and what they cost. */
export async function runDegraded({
  data,
  half,
  only,
}: {
  readonly data: string;
  readonly half: Half | undefined;
  /** Titles of kinds of damage, with commas; all unless given. */
  readonly only: string | undefined;
}): Promise<void> {
  const kinds = kindsOf(only?.split(','));
  const engine = await startEngine();
  try {
    const portraits = await readPeople(data);
    const find = facesThroughEngine(engine, 'accurate', { embed: false, minFacePx: 32 });
    portraits.push(...(await readBystanders(data, find)));
    for (const chain of Object.keys(faceChains) as FaceChainName[]) {
      const ask = facesThroughEngine(engine, chain, { embed: true });
      const observations: Observation[] = [];
      for (const portrait of portraits) {
        if (half === undefined || halfOf(portrait.person) === half) {
          observations.push(...(await observe(portrait, ask, kinds)));
        }
      }
      printRows(chain, observations);
    }
  } finally {
    await engine.close();
  }
}

/** Undamaged portraits always belong to them, because one side of a pair is undamaged in some columns. */
function kindsOf(titles: readonly string[] | undefined): readonly DegradedKind[] {
  const unknown = titles?.find((title) => !degradedKinds.some((kind) => kind.title === title));
  if (unknown !== undefined)
    throw new Error(
      `--only has no kind "${unknown}"; there are ${degradedKinds.map(({ title }) => title).join(', ')}`,
    );
  return degradedKinds.filter(({ title }) => title === undamaged || (titles?.includes(title) ?? true));
}

export function printRows(chain: FaceChainName, observations: readonly Observation[]): void {
  for (const half of ['tune', 'report'] as const) {
    const rows = countRows(observations, { half, ...faceChains[chain] });
    if (rows.length > 0) console.log(`\n${formatTable([headingOf(chain, half), ...rows.map(toCells)])}`);
  }
}

async function observe(
  { bytes, name, person }: Portrait,
  ask: AskFaces,
  kinds: readonly DegradedKind[],
): Promise<Observation[]> {
  const [portrait] = await ask(bytes);
  if (portrait === undefined) throw new Error(`no face in ${name}`);
  const raster = await takeRaster(bytes, portrait);
  const observations: Observation[] = [];
  for (const { title, variants } of kinds) {
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
        face: face && { embedding: face.embedding, quality: face.quality },
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
    '95 % of pairs',
    '95 % of people',
    'one person: before',
    'after',
    'found',
    'flagged',
    'doubtful',
  ];
}

function toCells({ title, oneSide, bothSides, genuine, found, flagged, doubtful }: DegradedRow): string[] {
  const interval = (hits: number, trials: number) => {
    const { low, high } = exactInterval(hits, trials);
    return `${share(low)} to ${share(high)}`;
  };
  const { people } = bothSides;
  const ofCompared = ({ compared }: Hits, hits: number) => `${hits} of ${compared}`;
  // A face that is not found is a person who is not recognised.
  const ofAll = ({ pairs }: Hits, hits: number) => `${hits} of ${pairs}`;
  return [
    title,
    ofCompared(oneSide, oneSide.hits),
    ofCompared(oneSide, oneSide.answered),
    ofCompared(bothSides, bothSides.hits),
    ofCompared(bothSides, bothSides.answered),
    interval(bothSides.answered, bothSides.compared),
    `${people.answered} of ${people.compared}, ${interval(people.answered, people.compared)}`,
    ofAll(genuine, genuine.hits),
    ofAll(genuine, genuine.answered),
    share(found),
    share(flagged),
    share(doubtful),
  ];
}
