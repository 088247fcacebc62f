import { EngineError } from '../../errors.js';
import type { Image } from '../../image/image.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel, Tensor } from '../task.js';
import {
  accentWeight,
  allowedCharacters,
  favouringAccents,
  hasAccents,
  hasDoubtfulAccents,
  withAccentsOf,
} from './allowed-characters.js';
import { cutCells, cutStrip, stripHeightOf } from './cut-strip.js';
import { decodeCtc } from './decode-ctc.js';
import { foreignTo, guessLetters } from './guess-language.js';
import type { TextLanguage } from './languages.js';
import { asUprightCharacter } from './lone-character.js';
import { readableCharacters } from './readable.js';
import { framed, readingStretch } from './reading-strip.js';
import { spellOut } from './spaces.js';
import type { StackedWord } from './stacked-letters.js';
import { turnStrip } from './strip.js';
import type { TextRegion } from './text-regions.js';

export interface Reading {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1; 0 for none. */
  readonly score: number;
  /** Sum of the probabilities of its characters. */
  readonly total: number;
  /** Probability of the step that was least sure, 0 to 1. */
  readonly leastStep: number;
  /** Of a lone character that was read in two ways. */
  readonly isDoubtful?: true;
}

/** A region with what it says. */
interface ReadRegion {
  readonly region: TextRegion;
  readonly reading: Reading;
}

interface RecogniseContext {
  readonly image: Image;
  readonly recogniser: LoadedModel;
  /** Those of the text; undefined: all characters, and the accents of the language that the lines together show. */
  readonly languages: readonly TextLanguage[] | undefined;
  readonly signal: AbortSignal;
}

/** Height of a strip, in pixels of the image, below which accents are not seen: print of some 10 pixels. */
const minAccentedPx = 13;

/**
 * Up to so many lines, the classifier that votes on their direction has too few to be sure: a line that scores less than this
 * is read upside down too. Of 40 single lines two were turned wrongly, and scored less.
 */
const fewRegions = 2;
const sureDirection = 0.93;

/** Words of letters one above the other that were read right score .9 and more. */
const minWordScore = 0.75;

/** A reading of which every step is surer than this is the same with `favouringAccents`. */
const surelyPlain = accentWeight / (1 + accentWeight);

/** Least score of a lone character, and how often it is repeated to be read as a word. */
const minCharacterScore = 0.8;
const repetitions = 5;

const none: ReadonlySet<string> = new Set();

/**
 * The texts of regions, each in its direction, and of words with their letters one above the other, or of their letters where
 * they are no words.
 */
export async function recogniseRegions(
  context: RecogniseContext,
  regions: readonly TextRegion[],
  words: readonly StackedWord[],
): Promise<ReadRegion[]> {
  const { recogniser, languages } = context;
  const alphabet = alphabetOf(recogniser);
  const open = allowedCharacters(alphabet, languages);
  const allowed = languages === undefined ? open : favouringAccents(open, alphabet);
  const read = async (region: TextRegion): Promise<ReadRegion> => {
    context.signal.throwIfAborted();
    const reading = await recognise(context, region, allowed);
    if (languages !== undefined || !areAccentsDoubtful(region, reading)) return { region, reading };
    return { region, reading: await recognise(context, region, withAccentsOf(allowed, alphabet, none)) };
  };
  const readings: ReadRegion[] = [];
  for (const { region, members } of words) {
    const word = await read(region);
    const text = word.reading.text.replaceAll(' ', '');
    const isOne = isWord({ ...word.reading, text }, region.letters.length);
    if (isOne) readings.push({ region, reading: { ...word.reading, text } });
    else for (const member of members) readings.push(await read(member));
  }
  const character = regions.length === 1 && words.length === 0 ? await readCharacter(regions, read) : null;
  if (character) return [character];
  for (const region of regions) {
    const upright = await read(region);
    const isDoubtful = regions.length <= fewRegions && upright.reading.score < sureDirection;
    const turned = isDoubtful ? await read({ ...region, strip: turnStrip(region.strip, 2) }) : upright;
    readings.push(turned.reading.score > upright.reading.score ? turned : upright);
  }
  return languages === undefined ? withOwnLetters(context, readings, allowed) : readings;
}

/**
 * A region that is one character, upright. The recogniser learnt from turned letters too and takes a lone Z for an N that lies on its side; in a row of the same character
 * it does not. Null for what is no character.
 */
async function readCharacter(
  [region]: readonly TextRegion[],
  read: (region: TextRegion) => Promise<ReadRegion>,
): Promise<ReadRegion | null> {
  const strip = region && asUprightCharacter(region.strip);
  if (!strip) return null;
  const upright = await read({ ...region, strip });
  if ([...upright.reading.text].length !== 1 || upright.reading.score < minCharacterScore) return null;
  const row = await read({ ...region, strip, letters: Array.from({ length: repetitions }, () => strip) });
  const [text, ...others] = new Set(row.reading.text.replaceAll(' ', ''));
  if (text === upright.reading.text && others.length === 0) return upright;
  const isOther = text !== undefined && others.length === 0 && row.reading.score >= minCharacterScore;
  return { ...upright, reading: { ...upright.reading, ...(isOther && { text }), isDoubtful: true } };
}

/** Languages that are given vouch for their accents. */
function areAccentsDoubtful(region: TextRegion, { text, score }: Reading): boolean {
  return isTiny(region) ? hasAccents(text) : hasDoubtfulAccents(text, score);
}

function isTiny({ strip }: TextRegion): boolean {
  return Math.min(strip.width, strip.height) < minAccentedPx;
}

/** Whether letters that stand one above the other gave a word; a column of digits gives none. */
function isWord({ text, score }: Reading, cells: number): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return score >= minWordScore && letters >= 0.8 * cells && [...text].length <= cells + 1;
}

/**
 * Reads lines again that have letters which the language of the image lacks, and where the accents of the others show the
 * language, those in which an accent may have been missed.
 */
async function withOwnLetters(
  context: RecogniseContext,
  readings: readonly ReadRegion[],
  allowed: Float32Array,
): Promise<ReadRegion[]> {
  const { letters, maxLoss, areOfLanguage } = guessLetters(readings.map(({ reading }) => reading.text));
  const alphabet = alphabetOf(context.recogniser);
  const own = withAccentsOf(allowed, alphabet, letters);
  const likely = favouringAccents(own, alphabet);
  const settled: ReadRegion[] = [];
  for (const { region, reading } of readings) {
    const foreign = foreignTo(letters, reading.text).length;
    if (foreign > 0) context.signal.throwIfAborted();
    const again = foreign > 0 ? await recognise(context, region, own) : reading;
    const isOwn = reading.total - again.total <= maxLoss * foreign;
    const kept = isOwn ? again : reading;
    const isMissing = areOfLanguage && isOwn && kept.leastStep <= surelyPlain && !isTiny(region);
    settled.push({ region, reading: isMissing ? await recognise(context, region, likely) : kept });
  }
  return settled;
}

async function recognise(
  { image, recogniser }: RecogniseContext,
  region: TextRegion,
  allowed: Float32Array,
): Promise<Reading> {
  const height = stripHeightOf(recogniser.manifest);
  const strip = region.letters
    ? await cutCells(image, region.letters, height, readingStretch)
    : await cutStrip(image, framed(region), height, readingStretch);
  return readStrip(recogniser, strip, allowed);
}

/** @param image uint8 [1,h,w,3] */
export async function readStrip(
  recogniser: LoadedModel,
  image: Tensor,
  allowed: Float32Array,
): Promise<Reading> {
  const takesAllowed = recogniser.inputs.includes('allowed');
  const outputs = await recogniser.run({
    image,
    ...(takesAllowed && { allowed: { data: allowed, dims: [allowed.length] } }),
  });
  const classes = integersOf(recogniser, outputs, 'characters');
  // Multiplied by what is allowed, which is above 1 for letters that are favoured.
  const scores = floatsOf(recogniser, outputs, 'scores');
  const weightOf = (symbol: number) => Math.max(1, allowed[symbol] ?? 1);
  const optional = (name: string) => outputs[name] && floatsOf(recogniser, outputs, name);
  const spaces = optional('spaces');
  const decoded = decodeCtc(classes, scores, alphabetOf(recogniser)).map((character) => ({
    ...character,
    score: character.score / weightOf(character.symbol),
  }));
  const characters = readableCharacters(decoded, optional('readable'), spaces);
  const total = characters.reduce((sum, { score }) => sum + score, 0);
  return {
    text: withPlainLetters(spellOut(characters, spaces)),
    score: characters.length === 0 ? 0 : total / characters.length,
    total,
    leastStep: classes.reduce(
      (least, symbol, step) => Math.min(least, (scores[step] ?? 0) / weightOf(Number(symbol))),
      1,
    ),
  };
}

/** Letters and digits as wide as Chinese characters are the plain ones, where there is no Chinese. */
function withPlainLetters(text: string): string {
  if (/\p{Script=Han}/u.test(text)) return text;
  return text.replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/gu, (wide) => wide.normalize('NFKC'));
}

function alphabetOf({ ref, manifest }: LoadedModel): readonly string[] {
  if (manifest.alphabet) return manifest.alphabet;
  throw new EngineError('model-missing', `model ${ref.id} has no alphabet`);
}
