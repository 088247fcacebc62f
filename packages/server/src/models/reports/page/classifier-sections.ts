import type { ClassifierReport } from '@lynceus/engine';
import { drawCalibration } from './calibration-chart.js';
import { writeConfusion } from './confusion-table.js';
import { count, percent, percentOrNone } from './figures.js';
import { type Markup, markup } from './markup.js';
import { type ReportImage, type ShownMistake, writeMistakes } from './mistake-images.js';
import { writeFigures, writeSentences, writeTable } from './tables.js';

export function writeClassifierSections(
  report: ClassifierReport,
  images: ReadonlyMap<string, ReportImage>,
  maxMistakes: number,
): Markup {
  const { figures, learningCurve } = report;
  const titles = report.labels.map(({ title }) => title);
  const { interval, calibration } = figures;
  return markup`<section><h2>How good it is</h2>
<p>${
    report.measuredOn === 'held-out'
      ? `Measured on ${count(figures.images, 'image')} that were held out: it has never learnt of them.`
      : `Measured by cross-validation on ${count(figures.images, 'image')}, each by a head that had not seen it.`
  } ${count(report.images.train, 'image')} to learn from.</p>
${writeFigures([
  ['right', percent(figures.accuracy), `95 % interval ${percent(interval.low)} to ${percent(interval.high)}`],
  ['right, classes equal', percent(figures.balancedAccuracy), 'balanced accuracy'],
  ['calibration error', calibration.ece.toFixed(3), 'how far surety is off, in the mean'],
])}</section>
${writeSentences('What to know', report.warnings)}
${writeSentences('What would help', report.advice)}
<section><h2>Class by class</h2>${writeTable(
    ['class', 'learnt from', 'measured on', 'precision', 'recall'],
    figures.classes.map(({ label, trained, measured, precision, recall }) => [
      ...[titles[label] ?? '', trained, measured],
      ...[percentOrNone(precision), percentOrNone(recall)],
    ]),
  )}</section>
${figures.confusion ? writeConfusion(titles, figures.confusion) : ''}
<section><h2>Is it as sure as it should be?</h2>
<p>Points below the line: surer than right. The larger a point, the more answers.</p>
${drawCalibration(
  calibration.bins.map(({ probability, right, answers }) => ({ predicted: probability, right, answers })),
)}</section>
${writeMistakes(
  report.mistakes.slice(0, maxMistakes).map((mistake) => toShown(mistake, titles)),
  images,
)}
${
  learningCurve.length === 0
    ? ''
    : markup`<section><h2>With fewer images</h2>${writeTable(
        ['share of the images', 'images', 'balanced accuracy', 'spread'],
        learningCurve.map(({ share, images: learnt, balancedAccuracy, spread }) => [
          ...[percent(share), Math.round(learnt), percent(balancedAccuracy), `± ${percent(spread)}`],
        ]),
      )}</section>`
}`;
}

function toShown(mistake: ClassifierReport['mistakes'][number], titles: readonly string[]): ShownMistake {
  const names = (labels: readonly number[]) =>
    labels.map((label) => titles[label] ?? '').join(', ') || 'none';
  return {
    image: mistake.image,
    lines: [
      `shows ${names(mistake.shown)}`,
      `answered ${names(mistake.answered)}`,
      `sure to ${percent(mistake.score)}`,
    ],
  };
}
