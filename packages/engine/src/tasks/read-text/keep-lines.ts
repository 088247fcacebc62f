import type { TextLine } from './text-lines.js';

/**
 * Least scores of short readings: texture, leaves and gratings are read as a letter or two, at .5 to .79 where single digits of
 * dials and scales have .81 and more.
 */
const minScoreByLength = [1, 0.8, 0.6] as const;

/** From this score on, two characters of Chinese show that an image has Chinese text at all. */
const sureChinese = 0.8;

const han = /\p{Script=Han}/gu;

/**
 * The lines that are text and not a likeness of it: short ones that are sure enough, and Chinese ones only where one of the image
 * is sure, since ornaments and handwriting are read as Chinese now and then.
 */
export function keepLines(lines: readonly TextLine[], minScore: number): TextLine[] {
  const isSure = ({ text, score }: TextLine) => countHan(text) >= 2 && score >= sureChinese;
  const hasChinese = lines.some(isSure);
  return lines.filter((line) => {
    const length = [...line.text].length;
    if (length === 0 || line.score < Math.max(minScore, minScoreByLength[length] ?? 0)) return false;
    return hasChinese || countHan(line.text) === 0;
  });
}

function countHan(text: string): number {
  return text.match(han)?.length ?? 0;
}
