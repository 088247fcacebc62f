import { dirname, join } from 'node:path';
import { startEngine } from '../engine.js';
import { formatTable, share } from '../table.js';
import { checkFonts } from '../text/fonts.js';
import { engineReader, type Reader } from '../text/readers.js';
import {
  findPhoto,
  isPlain,
  listSamples,
  type Outcome,
  readSamples,
  type Sample,
  sampleGroups,
  sumErrors,
  type TextBenchOptions,
} from '../text/samples.js';
import { loadPeer, resolvePeer } from './load-peer.js';

/** Character error rates and times of the engine and of Tesseract, on the English and the numbers of the text benchmark. */
export async function compareText({ data, all }: TextBenchOptions): Promise<void> {
  checkFonts();
  const tesseract = await startTesseract();
  const engine = await startEngine();
  try {
    // Tesseract reads the languages whose data it has.
    const samples = listSamples(await findPhoto(data), all).filter(({ script }) =>
      ['English', 'numbers'].includes(script.name),
    );
    const [ours = [], theirs = []] = await readSamples(samples, [engineReader(engine), tesseract.read]);
    reportSideBySide(ours, theirs);
  } finally {
    await tesseract.close();
    await engine.close();
  }
}

/** What is used of tesseract.js. */
interface TesseractModule {
  createWorker(languages: string, mode: 1, options: object): Promise<TesseractWorker>;
}
interface TesseractWorker {
  setParameters(parameters: { debug_file: string }): Promise<unknown>;
  recognize(image: Buffer, options: { rotateAuto: boolean }): Promise<{ data: { text: string } }>;
  terminate(): Promise<unknown>;
}

export interface Tesseract {
  readonly read: Reader;
  close(): Promise<void>;
}

/** Tesseract with the English data of its npm package (`4.0.0_best_int`), offline. It chooses the layout itself. */
export async function startTesseract(): Promise<Tesseract> {
  const langPath = join(dirname(resolvePeer('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  const { createWorker } = loadPeer<TesseractModule>('tesseract.js');
  const worker = await createWorker('eng', 1, { langPath, cacheMethod: 'none' });
  await worker.setParameters({ debug_file: '/dev/null' });
  return {
    read: async (image) => (await worker.recognize(image, { rotateAuto: true })).data.text,
    close: async () => {
      await worker.terminate();
    },
  };
}

function reportSideBySide(ours: readonly Outcome[], theirs: readonly Outcome[]): void {
  console.log('English and numbers, the same images: Lynceus and Tesseract (tesseract.js, English data)');
  const rows = [['group', 'images', 'ours', 'Tesseract', 'ours, ms an image', 'Tesseract, ms an image']];
  const row = (name: string, belongs: (sample: Sample) => boolean) => {
    const [a, b] = [ours, theirs].map((side) => side.filter(({ sample }) => belongs(sample)));
    if (!a || !b || a.length === 0) return;
    const rate = (side: readonly Outcome[]) => {
      const { edits, characters } = sumErrors(side);
      return share(edits / characters);
    };
    const ms = (side: readonly Outcome[]) =>
      (side.reduce((sum, outcome) => sum + outcome.ms, 0) / side.length).toFixed(0);
    rows.push([name, String(a.length), rate(a), rate(b), ms(a), ms(b)]);
  };
  row('all', () => true);
  row('upright, black on white', isPlain);
  for (const [heading, nameOf] of sampleGroups) {
    for (const name of new Set(ours.map(({ sample }) => nameOf(sample)))) {
      row(`${heading}: ${name}`, (sample) => nameOf(sample) === name);
    }
  }
  console.log(`${formatTable(rows)}\n`);
}
