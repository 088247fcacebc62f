import type { DetectorReport } from '@lynceus/engine';
import { drawCalibration } from './calibration-chart.js';
import { count, percent, percentOrNone } from './figures.js';
import { writeLastFit } from './last-fit.js';
import { type Markup, markup } from './markup.js';
import { type ReportImage, type ShownMistake, writeMistakes } from './mistake-images.js';
import { writeFigures, writeSentences, writeTable } from './tables.js';

export function writeDetectorSections(
  report: DetectorReport,
  images: ReadonlyMap<string, ReportImage>,
  maxMistakes: number,
): Markup {
  const { overall, learntOf, lastFit, measuredOn, falseBoxes, byImages, secondLook } = report;
  const how =
    report.measuredWith === 'held-out'
      ? 'that were held out of the training'
      : 'by cross-validation, each by a head that was not trained on it';
  const falseNote = ({ images: seen }: { readonly images: number }) =>
    `of ${count(seen, 'image')} without any of it`;
  return markup`<section><h2>How good it is</h2>
<p>Measured on ${count(measuredOn.boxes, 'box', 'boxes')} in ${count(measuredOn.images, 'image')} ${how}. It was trained on
${count(learntOf.boxes, 'box', 'boxes')} in ${count(learntOf.images, 'image')}, ${learntOf.backgrounds} of them without a box.${writeLastFit(lastFit, learntOf.images)}${secondLook?.isUsed === true ? ' A classifier looks again at the boxes that it finds: fewer boxes on other things, for several times the time of a prediction.' : ''}</p>
${writeFigures([
  ['AP50', percent(overall.ap50), 'boxes that overlap by half count as right'],
  ['AP', percent(overall.ap), 'by the protocol of COCO, mean over overlaps of .50 to .95'],
  ['precision', percent(overall.precision), 'share of boxes answered that is right, from a score of 0.4'],
  ['recall', percent(overall.recall), 'share of labelled boxes that is found, from a score of 0.4'],
  ['false boxes', percentOrNone(falseBoxes.own.share), falseNote(falseBoxes.own)],
  ['false boxes elsewhere', percentOrNone(falseBoxes.shipped.share), falseNote(falseBoxes.shipped)],
])}</section>
${writeSentences(
  'What to know, and what would help',
  report.warnings.map(({ message }) => message),
)}
<section><h2>Class by class</h2>${writeTable(
    ['class', 'boxes', 'AP50', 'precision', 'recall'],
    report.labels.map(({ label, boxes, figures }) => [
      ...[label, boxes, percentOrNone(figures?.ap50 ?? null)],
      ...[percentOrNone(figures?.precision ?? null), percentOrNone(figures?.recall ?? null)],
    ]),
  )}</section>
<section><h2>Is it as sure as it should be?</h2>
<p>Points below the line: surer than right. The larger a point, the more boxes.</p>
${drawCalibration(
  report.calibration.map(({ meanScore, rightShare, boxes }) => ({
    predicted: meanScore,
    right: rightShare,
    answers: boxes,
  })),
)}</section>
${writeMistakes(report.mistakes.slice(0, maxMistakes).map(toShown), images)}
<p class="legend"><i class="expected"></i> labelled <i class="found"></i> found</p>
${
  byImages.length === 0
    ? ''
    : markup`<section><h2>With fewer images</h2>${writeTable(
        ['images', 'AP50'],
        byImages.map(({ images: trainedOn, ap50 }) => [trainedOn, percent(ap50)]),
      )}</section>`
}`;
}

function toShown(mistake: DetectorReport['mistakes'][number]): ShownMistake {
  const { image, kind, label, expectedLabel = '', score, expected, found } = mistake;
  const what = {
    missed: `${label} was missed`,
    false: `${label} found where none is labelled`,
    'wrong-class': `${expectedLabel} taken for ${label}`,
    'poor-overlap': `${label} found, but not well placed`,
  }[kind];
  return {
    image,
    expected,
    found,
    lines: score === undefined ? [what] : [what, `score ${score.toFixed(2)}`],
  };
}
