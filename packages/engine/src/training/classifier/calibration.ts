import type { Calibration } from './classifier-report.js';

const binCount = 10;

export interface Answer {
  readonly probability: number;
  readonly isRight: boolean;
}

/** Reliability of probabilities in tenths; a bin without answers is left out. */
export function measureCalibration(answers: readonly Answer[]): Calibration {
  const bins = Array.from({ length: binCount }, (_, index) => {
    const inside = answers.filter(({ probability }) => binOf(probability) === index);
    const count = Math.max(1, inside.length);
    return {
      from: index / binCount,
      to: (index + 1) / binCount,
      answers: inside.length,
      probability: inside.reduce((sum, { probability }) => sum + probability, 0) / count,
      right: inside.filter(({ isRight }) => isRight).length / count,
    };
  }).filter((bin) => bin.answers > 0);
  const ece = bins.reduce((sum, bin) => sum + bin.answers * Math.abs(bin.probability - bin.right), 0);
  return { bins, ece: ece / Math.max(1, answers.length) };
}

function binOf(probability: number): number {
  return Math.min(binCount - 1, Math.floor(probability * binCount));
}
