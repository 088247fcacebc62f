import { defaultFaceChain } from '@lynceus/engine';
import { compareDetectors } from '../agreement.js';
import { type BenchEngine, startEngine } from '../engine.js';
import { facesThroughEngine } from '../faces/ask-faces.js';
import { readPeople } from '../faces/people.js';
import { withHuman } from '../peers/human.js';
import { startTesseract } from '../peers/text.js';
import { drawText } from '../text/draw.js';
import { checkFonts } from '../text/fonts.js';
import { engineReader } from '../text/readers.js';
import { isPlain, listSamples } from '../text/samples.js';
import { cpuInTurns } from './cpu-in-turns.js';
import { median } from './judge.js';

const detectorImages = 4;
const portraits = 8;
const texts = 4;
const rounds = 3;

export interface PeerRatios {
  readonly ratios: ReadonlyMap<string, number>;
  /** Why others could not be measured: for example their packages are not installed. */
  readonly missing: readonly string[];
}

/** CPU of other programs over ours, for the same work. */
export async function measurePeerRatios(data: string): Promise<PeerRatios> {
  const ratios = new Map<string, number>();
  const missing: string[] = [];
  const engine = await startEngine();
  try {
    for (const [name, measure] of Object.entries(peers)) {
      await measure(engine, data).then(
        (found) => {
          for (const [subject, ratio] of found) ratios.set(`${name} / ours: ${subject}`, ratio);
        },
        (error: unknown) => missing.push(`${name}: ${error instanceof Error ? error.message : error}`),
      );
    }
  } finally {
    await engine.close();
  }
  return { ratios, missing };
}

type Measure = (engine: BenchEngine, data: string) => Promise<readonly (readonly [string, number])[]>;

const peers: Readonly<Record<string, Measure>> = {
  'tfjs-wasm': async (_, data) => {
    const models = await compareDetectors({ data, images: detectorImages });
    return models.map(({ id, ownCpuMs, referenceCpuMs }) => [id, referenceCpuMs / ownCpuMs] as const);
  },

  '@vladmandic/human': async (engine, data) => {
    const people = (await readPeople(data)).slice(0, portraits);
    const ours = facesThroughEngine(engine, defaultFaceChain, { embed: true, minFacePx: 64 });
    return await withHuman(async (human) => [
      [
        'faces',
        await ratioOf(
          (bytes) => human.ask(bytes),
          ours,
          people.map(({ bytes }) => bytes),
        ),
      ],
    ]);
  },

  'tesseract.js': async (engine) => {
    checkFonts();
    const samples = listSamples(null, false).filter(
      (sample) => isPlain(sample) && sample.script.name === 'English',
    );
    const images = await Promise.all(samples.slice(0, texts).map(drawText));
    const tesseract = await startTesseract();
    try {
      return [['texts', await ratioOf(tesseract.read, engineReader(engine), images)]];
    } finally {
      await tesseract.close();
    }
  },
};

async function ratioOf<Input>(
  theirs: (input: Input) => Promise<unknown>,
  ours: (input: Input) => Promise<unknown>,
  inputs: readonly Input[],
): Promise<number> {
  const [their = [], our = []] = await cpuInTurns([theirs, ours], inputs, rounds);
  return median(their.map((seconds, round) => seconds / (our[round] ?? Number.NaN)));
}
