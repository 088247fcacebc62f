import { startEngine } from '../engine.js';
import { formatTable, share } from '../table.js';
import { checkFonts } from './fonts.js';
import { measureLatency } from './latency.js';
import { engineReader } from './readers.js';
import {
  findPhoto,
  isPlain,
  listSamples,
  type Outcome,
  readSamples,
  sampleGroups,
  sumErrors,
  type TextBenchOptions,
} from './samples.js';

/** Character error rates on text that the benchmark draws itself, and the latency of one image. */
export async function runText({ data, all }: TextBenchOptions): Promise<void> {
  checkFonts();
  const photo = await findPhoto(data);
  const engine = await startEngine();
  try {
    const reader = engineReader(engine);
    const [outcomes = []] = await readSamples(listSamples(photo, all), [reader]);
    reportByGroup(outcomes);
    await measureLatency(reader, photo);
  } finally {
    await engine.close();
  }
}

function reportByGroup(outcomes: readonly Outcome[]): void {
  console.log('Character error rate; "upright, white" is black on white, not turned');
  const rows = [['group', 'all', 'without spaces', 'without umlauts', 'upright, white']];
  for (const [heading, nameOf] of [['all', () => 'images'] as const, ...sampleGroups]) {
    for (const name of new Set(outcomes.map(({ sample }) => nameOf(sample)))) {
      const members = outcomes.filter(({ sample }) => nameOf(sample) === name);
      const all = sumErrors(members);
      const plain = sumErrors(members.filter(({ sample }) => isPlain(sample)));
      rows.push([
        `${heading}: ${name}`,
        share(all.edits / all.characters),
        share(all.editsWithoutSpaces / all.characters),
        share(all.editsWithoutUmlauts / all.characters),
        plain.characters === 0 ? '' : share(plain.edits / plain.characters),
      ]);
    }
  }
  console.log(`${formatTable(rows)}\n`);
}
