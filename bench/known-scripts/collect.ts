import type { LoadedModel } from '#engine/tasks/task.js';
import { seededRandom } from '#engine/training/seeded-random.js';
import { drawLine, drawPage, type PageStyle, randomStyle } from '../letters/draw-page.js';
import { type FontName, type FontSet, type Fonts, styles } from '../letters/fonts.js';
import { pick } from '../letters/random-lines.js';
import { type LabelledStrip, stripsOf } from '../letters/strips.js';
import { readableKinds, readableLine, readableWord } from './readable-lines.js';
import { type OtherScript, otherLine, otherScripts } from './scripts.js';

/** Part of a line, as shares of the strip's width, and whether the recogniser reads what it shows. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly isReadable: boolean;
}

/** A line as the recogniser gets it, with what is known of it. */
export interface KnownStrip {
  readonly kind: string;
  readonly text: string;
  readonly tensor: LabelledStrip['tensor'];
  readonly segments: readonly Segment[];
  /** Of a mixed line: what of it is read. */
  readonly readable?: string;
}

export interface CollectOptions {
  readonly detector: LoadedModel;
  readonly set: FontSet;
  readonly fonts: Fonts;
  /** Characters of Chinese that the recogniser has. */
  readonly han: readonly string[];
  readonly seed: number;
}

interface CollectDeps extends CollectOptions {
  readonly random: () => number;
}

interface LineToDraw {
  readonly text: string;
  readonly font: FontName;
  /** Of a mixed line: its first part, whether that is the readable one, and what is readable. */
  readonly mix?: { readonly first: string; readonly isReadable: boolean; readonly readable: string };
}

/** Of the lines of another script some are drawn upside down: a single line may be read so. */
const turnedShare = 0.1;

/** Lines in all scripts and of all kinds. @param lines of each script */
export async function* collectAll(options: CollectOptions, lines: number): AsyncGenerator<KnownStrip> {
  const { set, seed } = options;
  const scripts = otherScripts.filter((script) => fontsOfScript(script, set).length > 0);
  const parts: readonly ((deps: CollectDeps) => AsyncGenerator<KnownStrip>)[] = [
    ...readableKinds.map(
      (kind) => (deps: CollectDeps) => collectReadable(deps, kind, lines * (set === 'learn' ? 3 : 8)),
    ),
    (deps) => collectMixed(deps, scripts, lines * 4),
    ...scripts.map(
      (script) => (deps: CollectDeps) =>
        collectOther(deps, script, lines * (set === 'learn' ? (script.times ?? 1) : 1)),
    ),
  ];
  // A change of one kind leaves the lines of the others as they are.
  for (const [at, collect] of parts.entries())
    yield* collect({ ...options, random: seededRandom(seed * 1000 + at) });
}

/** Characters of Chinese in an alphabet. */
export function hanOf(alphabet: readonly string[]): string[] {
  return alphabet.filter((character) => /^\p{Script=Han}$/u.test(character));
}

/** Lines of one script that is not read. */
function collectOther(deps: CollectDeps, script: OtherScript, count: number): AsyncGenerator<KnownStrip> {
  const { random, set } = deps;
  const fonts = fontsOfScript(script, set);
  const nextLine = (max: number) => ({
    text: otherLine(script, set, 3 + random() * Math.max(0, max * 0.7 - 3), random),
    font: styled(fonts, random),
  });
  return collect(deps, { kind: script.name, isReadable: false, count, nextLine });
}

/** Lines of one kind that is read. */
function collectReadable(
  deps: CollectDeps,
  kind: (typeof readableKinds)[number],
  count: number,
): AsyncGenerator<KnownStrip> {
  const { random, set, fonts, han } = deps;
  const nextLine = (max: number) => ({
    text: readableLine(kind, set, Math.max(4, max * (0.2 + 0.8 * random())), han, random),
    font: kind === 'Chinese' ? pick(fonts.chinese, random) : styled(fonts.latin, random),
  });
  return collect(deps, { kind, isReadable: true, count, nextLine });
}

/** Lines with a part in Latin letters or digits and another part in a script that is not read. */
function collectMixed(
  deps: CollectDeps,
  scripts: readonly OtherScript[],
  count: number,
): AsyncGenerator<KnownStrip> {
  const { random, set } = deps;
  const nextLine = (max: number): LineToDraw => {
    const script = pick(scripts, random);
    const latin = readableWord(random);
    const other = otherLine(script, set, Math.max(3, (max - latin.length) * 0.5 * random()), random);
    // Scripts that are written from right to left would put what comes first at the right.
    const isFirst = random() < 0.5 || /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(other);
    const [first, second] = isFirst ? [latin, other] : [other, latin];
    const font = styled(fontsOfScript(script, set), random);
    return { text: `${first} ${second}`, font, mix: { first, isReadable: isFirst, readable: latin } };
  };
  return collect(deps, { kind: 'mixed', isReadable: false, count, nextLine });
}

function fontsOfScript({ fonts }: OtherScript, set: FontSet): readonly FontName[] {
  return set === 'report' ? fonts.report : fonts.learn;
}

function styled(fonts: readonly FontName[], random: () => number): FontName {
  return `${pick(fonts, random)} ${pick(styles, random)}`.trim();
}

async function* collect(
  { detector, random }: CollectDeps,
  {
    kind,
    isReadable,
    count,
    nextLine,
  }: {
    readonly kind: string;
    readonly isReadable: boolean;
    readonly count: number;
    readonly nextLine: (maxCharacters: number) => LineToDraw;
  },
): AsyncGenerator<KnownStrip> {
  let done = 0;
  while (done < count) {
    const style = randomStyle(random);
    const asked = new Map<string, LineToDraw>();
    const draw = (max: number) => {
      const line = nextLine(max);
      asked.set(line.text, line);
      return line;
    };
    // Some fonts draw nothing for a rare letter, which Pango refuses as a line.
    const page = await drawPage(style, draw, random).catch(() => null);
    if (page === null) continue;
    for (const found of await stripsOf(page, detector, random)) {
      const line = asked.get(found.line.text);
      if (line === undefined || done >= count) continue;
      const { text, mix } = line;
      const segments = mix
        ? await segmentsOf(found, line.font, mix, style)
        : [{ from: 0, to: 1, isReadable }];
      const isTurned = !isReadable && mix === undefined && random() < turnedShare;
      const tensor = isTurned ? turned(found.tensor) : found.tensor;
      yield { kind, text, tensor, segments, ...(mix && { readable: mix.readable }) };
      done += 1;
    }
  }
}

/** Both parts of a mixed line: the first is drawn once more to know where it ends. */
async function segmentsOf(
  { line, strip }: LabelledStrip,
  font: FontName,
  { first, isReadable }: { readonly first: string; readonly isReadable: boolean },
  style: PageStyle,
): Promise<Segment[]> {
  const { info } = await drawLine(first, font, style);
  const shareAt = (x: number) => (x - strip.centre.x) / strip.width + 0.5;
  const end = shareAt(line.left + info.width);
  return [
    { from: 0, to: end, isReadable },
    { from: shareAt(line.left + info.width + style.sizePx * 0.25), to: 1, isReadable: !isReadable },
  ];
}

function turned({ data, dims }: LabelledStrip['tensor']): LabelledStrip['tensor'] {
  const [red, green, blue] = [2, 1, 0];
  const other = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const from = data.length - 1 - at;
    other[at] = data[from - red] ?? 0;
    other[at + 1] = data[from - green] ?? 0;
    other[at + 2] = data[from - blue] ?? 0;
  }
  return { data: other, dims };
}
