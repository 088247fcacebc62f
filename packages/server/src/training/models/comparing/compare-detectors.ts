import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { averagePrecision, type EvaluatedImage, type Judgement, judge, workingPoint } from '@lynceus/engine';

const draws = 300;
/** Where clients put their threshold. */
const shownScore = 0.4;

/**
 * The same images answered by two detectors. The interval of the difference is that of the paired bootstrap (Efron 1979),
 * 95 %: images drawn with replacement, both measured on the same ones. Long work, in turns with whatever else waits.
 */
export async function compareDetectors(
  first: readonly EvaluatedImage[],
  second: readonly EvaluatedImage[],
  classes: number,
  random: () => number,
) {
  const judgements = [await judgeYielding(first, classes), await judgeYielding(second, classes)] as const;
  const differences: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    await yieldToEventLoop();
    const weights = new Array<number>(first.length).fill(0);
    for (let taken = 0; taken < first.length; taken += 1) {
      const index = Math.floor(random() * first.length);
      weights[index] = (weights[index] ?? 0) + 1;
    }
    const [one, two] = judgements.map((judgement) => averagePrecision(judgement, weights).ap50);
    const difference = (two ?? 0) - (one ?? 0);
    // A draw without any labelled box says nothing.
    if (Number.isFinite(difference)) differences.push(difference);
  }
  differences.sort((a, b) => a - b);
  const at = (share: number) => differences[Math.floor(share * (differences.length - 1))] ?? 0;
  const figures = [figuresOf(judgements[0]), figuresOf(judgements[1])] as const;
  return {
    figures,
    ap50_difference: {
      value: figures[1].ap50 - figures[0].ap50,
      interval: { low: at(0.025), high: at(0.975) },
    },
  };
}

/** A class at a time, so that the service goes on between them. */
async function judgeYielding(images: readonly EvaluatedImage[], classes: number): Promise<Judgement> {
  const judged: Judgement['classes'][number][] = [];
  for (let index = 0; index < classes; index += 1) {
    await yieldToEventLoop();
    const ofClass = images.map(({ truths, detections }) => ({
      truths: truths.filter(({ classIndex }) => classIndex === index).map(toOnly),
      detections: detections.filter(({ classIndex }) => classIndex === index).map(toOnly),
    }));
    judged.push(...judge(ofClass, 1).classes);
  }
  return { images: images.length, classes: judged };
}

function toOnly<One extends { readonly classIndex: number }>(one: One): One {
  return { ...one, classIndex: 0 };
}

function figuresOf(judgement: Judgement) {
  const { ap, ap50 } = averagePrecision(judgement);
  return { ap50: finite(ap50), ap: finite(ap), ...workingPoint(judgement, shownScore) };
}

/** Nothing is labelled. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
