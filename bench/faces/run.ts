import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaceChainName, faceChains } from '@lynceus/engine';
import { type BenchEngine, startEngine } from '../engine.js';
import { formatTable, share } from '../table.js';
import { facesThroughEngine } from './ask-faces.js';
import { measureCost } from './cost.js';
import { drawScores } from './draw-scores.js';
import { accepted, thresholdAt } from './pairs.js';
import { type Portrait, readPeople } from './people.js';
import { lookAtPhotos } from './photos.js';
import { verifyDegraded, verifyPeople, withStrangers } from './verification.js';

const chains = Object.keys(faceChains) as FaceChainName[];
const falseAcceptanceRate = 0.001;

/** Faces: who is recognised, who is found, and at which cost. */
export async function runFaces({
  data,
  out,
}: {
  readonly data: string;
  readonly out: string;
}): Promise<void> {
  await mkdir(out, { recursive: true });
  const engine = await startEngine();
  try {
    const people = await readPeople(data);
    const rows = new Map<string, string[]>();
    for (const chain of chains) await judgeChain(chain, { data, out, engine, people, rows });
    const heading = [
      'true acceptance at clean FAR .1 %',
      ...chains.flatMap((chain) => [chain, 'found', 'FAR']),
    ];
    console.log(`\n${formatTable([heading, ...[...rows].map(([title, cells]) => [title, ...cells])])}\n`);
    await measureCost(engine);
  } finally {
    await engine.close();
  }
  console.log(`images of what was found: ${out}`);
}

interface ChainContext {
  readonly data: string;
  readonly out: string;
  readonly engine: BenchEngine;
  readonly people: readonly Portrait[];
  /** Cells of the table of worse photographs by their title, to which the chain adds its own. */
  readonly rows: Map<string, string[]>;
}

async function judgeChain(
  chain: FaceChainName,
  { data, out, engine, people, rows }: ChainContext,
): Promise<void> {
  const { decisionCosine } = faceChains[chain];
  const ask = facesThroughEngine(engine, chain, { embed: true });
  const verification = await verifyPeople(people, ask);
  const { genuine, impostor } = verification.scores;
  const [far, tar] = [accepted(impostor, decisionCosine), accepted(genuine, decisionCosine)];
  const right = tar * genuine.length + (1 - far) * impostor.length;
  console.log(`\n${chain}: faces found in ${verification.found} of ${people.length} photographs of people`);
  console.log(
    formatTable([
      ['decision', 'genuine', 'impostor', 'accuracy', 'FAR', 'FRR', 'lowest genuine', 'highest impostor'],
      [
        String(decisionCosine),
        String(genuine.length),
        String(impostor.length),
        share(right / (genuine.length + impostor.length)),
        share(far),
        share(1 - tar),
        share(Math.min(...genuine)),
        share(Math.max(...impostor)),
      ],
    ]),
  );
  const seen = await lookAtPhotos(data, ask, out);
  console.log(
    `COCO: ${seen.facesOfPersons} faces, in ${seen.withPersonAndFace} of ${seen.withPerson} photographs with a person; ` +
      `${seen.alarms} alarms in ${seen.withoutPerson} without`,
  );
  const all = withStrangers(verification, seen.strangers);
  const threshold = thresholdAt(falseAcceptanceRate, all);
  console.log(
    `with ${seen.strangers.length} strangers of those photographs: ${all.impostor.length} impostor pairs, ` +
      `FAR ${share(accepted(all.impostor, decisionCosine))} at the decision point, .001 at ${share(threshold)}`,
  );
  await writeFile(
    join(out, `scores-${chain}.svg`),
    drawScores(`${chain}: cosines of pairs`, all, decisionCosine),
  );
  for (const row of await verifyDegraded(verification, threshold, ask)) {
    const cells = [share(row.trueAcceptance), String(row.found), share(row.falseAcceptance)];
    rows.set(row.title, [...(rows.get(row.title) ?? []), ...cells]);
  }
}
