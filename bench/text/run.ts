import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEngine } from '../engine.js';
import { formatTable, share } from '../table.js';
import { addErrors, type CharacterErrors, noErrors } from './character-error.js';
import { anglesDeg, backgrounds, type Drawing, drawText, fewSizesPx, sizesPx } from './draw.js';
import { checkFonts } from './fonts.js';
import { measureLatency } from './latency.js';
import { engineReader, type Reader, startTesseract } from './readers.js';
import { type Script, scripts } from './scripts.js';

interface Sample extends Drawing {
  readonly script: Script;
}

export interface TextBenchOptions {
  readonly data: string | undefined;
  /** Letters of every size, 240 images; without it of three sizes, 144 images. */
  readonly all: boolean;
}

/** Character error rates on text that the benchmark draws itself, beside those of Tesseract on the same images. */
export async function runText({ data, all }: TextBenchOptions): Promise<void> {
  checkFonts();
  const photo = await findPhoto(data);
  const samples = drawSamples(photo, all ? sizesPx : fewSizesPx);
  const engine = await startEngine();
  const tesseract = await startTesseract();
  try {
    const { ours, theirs } = await readAll(samples, engineReader(engine), tesseract.read);
    reportByGroup(ours);
    const fair = ours.filter(({ sample }) => isEnglish(sample));
    reportSideBySide(fair, theirs);
    await measureLatency(engineReader(engine), photo);
  } finally {
    await tesseract.close();
    await engine.close();
  }
}

async function findPhoto(data: string | undefined): Promise<Buffer | null> {
  const folder = data && join(data, 'coco', 'images');
  if (!folder || !existsSync(folder)) return null;
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.jpg')).sort();
  return name ? readFile(join(folder, name)) : null;
}

function drawSamples(photo: Buffer | null, sizes: readonly number[]): Sample[] {
  const samples: Sample[] = [];
  for (const script of scripts) {
    for (const sizePx of sizes) {
      for (const background of backgrounds) {
        for (const angleDeg of anglesDeg) {
          const font = script.fonts[(samples.length + sizes.indexOf(sizePx)) % script.fonts.length];
          if (!font) throw new Error(`there is no font for ${script.name}`);
          samples.push({ script, lines: script.lines, font, sizePx, background, angleDeg, photo });
        }
      }
    }
  }
  return samples;
}

interface Outcome {
  readonly sample: Sample;
  readonly text: string;
  readonly ms: number;
}

/**
 * One image after the other, by both readers in turn, so that the times compare on a busy machine too. Tesseract reads
 * the languages whose data it was given: English, and numbers with it.
 */
async function readAll(samples: readonly Sample[], ourRead: Reader, theirRead: Reader) {
  const ours: Outcome[] = [];
  const theirs: Outcome[] = [];
  for (const sample of samples) {
    const image = await drawText(sample);
    const outcome = async (read: Reader): Promise<Outcome> => {
      const start = performance.now();
      const text = await read(image);
      return { sample, text, ms: performance.now() - start };
    };
    ours.push(await outcome(ourRead));
    if (isEnglish(sample)) theirs.push(await outcome(theirRead));
  }
  return { ours, theirs };
}

function isEnglish({ script }: Sample): boolean {
  return script.name === 'English' || script.name === 'numbers';
}

const groups: readonly (readonly [string, (sample: Sample) => string])[] = [
  ['text', ({ script }) => script.name],
  ['size', ({ sizePx }) => `${sizePx} px`],
  ['background', ({ background }) => background],
  ['turned by', ({ angleDeg }) => `${angleDeg} degrees`],
];

function reportByGroup(outcomes: readonly Outcome[]): void {
  console.log('Character error rate; "upright, white" is black on white, not turned');
  const rows = [['group', 'all', 'without spaces', 'without umlauts', 'upright, white']];
  for (const [heading, nameOf] of [['all', () => 'images'] as const, ...groups]) {
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

function reportSideBySide(ours: readonly Outcome[], theirs: readonly Outcome[]): void {
  console.log('English and numbers, the same images, beside Tesseract (tesseract.js, English data)');
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
  for (const [heading, nameOf] of groups) {
    for (const name of new Set(ours.map(({ sample }) => nameOf(sample)))) {
      row(`${heading}: ${name}`, (sample) => nameOf(sample) === name);
    }
  }
  console.log(`${formatTable(rows)}\n`);
}

function isPlain({ background, angleDeg }: Sample): boolean {
  return background === 'black on white' && angleDeg === 0;
}

function sumErrors(outcomes: readonly Outcome[]): CharacterErrors {
  const sums = noErrors();
  for (const { sample, text } of outcomes) addErrors(sums, sample.lines.join(' '), text);
  return sums;
}
