import type { ClassifierReport } from '@lynceus/engine';
import { drawCalibration } from './calibration-chart.js';
import { count, percent, percentOrNone } from './figures.js';
import { writeLastFit } from './last-fit.js';
import { type Markup, markup } from './markup.js';
import { type ReportImage, type ShownMistake, writeMistakes } from './mistake-images.js';
import { writeFigures, writeSentences, writeTable } from './tables.js';

/** Beyond it nobody reads a table; the confusions that count are listed instead. */
const maxTableLabels = 30;

const maxListed = 30;

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
      ? `Measured on ${count(figures.images, 'image')} that were held out of the training.`
      : `Measured by cross-validation on ${count(figures.images, 'image')}, each by a head that had not seen it.`
  } ${count(report.images.train, 'image')} to learn from.${writeLastFit(report.lastFit, report.images.train)}</p>
${writeFigures([
  ['right', percent(figures.accuracy), `95 % interval ${percent(interval.low)} to ${percent(interval.high)}`],
  ['right, classes equal', percent(figures.balancedAccuracy), 'balanced accuracy'],
  ['calibration error', calibration.ece.toFixed(3), 'how far surety is off, in the mean'],
  ...unlikeFigures(report),
])}</section>
${writeSentences('What to know', report.warnings)}
${writeSentences('What would help', report.advice)}
<section><h2>Class by class</h2>${writeTable(
    ['class', 'trained on', 'measured on', 'precision', 'recall'],
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
        learningCurve.map(({ share, images: trainedOn, balancedAccuracy, spread }) => [
          ...[percent(share), Math.round(trainedOn), percent(balancedAccuracy), `± ${percent(spread)}`],
        ]),
      )}</section>`
}`;
}

/** Held-out images that are taken for foreign ones, and foreign ones that are recognised as such. */
function unlikeFigures({ unlikeTraining }: ClassifierReport): [string, string, string][] {
  if (!unlikeTraining) return [];
  const { heldOut, shipped } = unlikeTraining;
  const rows: [string, typeof heldOut, string][] = [
    ['unlike the training images', heldOut, 'that were held out: should be few'],
    ['the same, of other things', shipped, 'of other things: should be most'],
  ];
  return rows.map(([name, { images, share }, of]) => [
    name,
    percentOrNone(share),
    `of ${count(images, 'image')} ${of}`,
  ]);
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

/** @param confusion by what an image shows, then by what it was answered */
function writeConfusion(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  return markup`<section><h2>What was taken for what</h2>
${titles.length <= maxTableLabels ? writeMatrix(titles, confusion) : writeList(titles, confusion)}</section>`;
}

function writeMatrix(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  return markup`<p>A row is what images show, a column what they were answered; what is on the diagonal is right.</p>
<div class="wide"><table class="confusion"><thead><tr><th></th>${titles.map((title) => markup`<th scope="col"><span>${title}</span></th>`)}</tr></thead>
<tbody>${confusion.map((row, shown) => {
    const total = row.reduce((sum, cell) => sum + cell, 0);
    return markup`<tr><th scope="row">${titles[shown] ?? ''}</th>${row.map((cell, answered) => {
      const shade = total === 0 ? 0 : cell / total;
      const colour = shown === answered ? '46 125 80' : '192 57 43';
      return markup`<td style="background: rgb(${colour} / ${(0.75 * shade).toFixed(2)})">${cell === 0 ? '' : cell}</td>`;
    })}</tr>\n`;
  })}</tbody></table></div>`;
}

function writeList(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  const wrong: { readonly shown: number; readonly answered: number; readonly images: number }[] = [];
  for (const [shown, row] of confusion.entries()) {
    for (const [answered, images] of row.entries())
      if (images > 0 && shown !== answered) wrong.push({ shown, answered, images });
  }
  wrong.sort((a, b) => b.images - a.images);
  if (wrong.length === 0) return markup`<p>Nothing was taken for something else.</p>`;
  return writeTable(
    ['shown', 'answered', 'images'],
    wrong
      .slice(0, maxListed)
      .map(({ shown, answered, images }) => [titles[shown] ?? '', titles[answered] ?? '', images]),
  );
}
