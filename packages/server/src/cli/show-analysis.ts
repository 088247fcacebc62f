import type { Analysis, Box } from '@lynceus/engine';
import { generalFindings } from '../recognition/general.js';
import { formatTable } from './table.js';

/** What was found by the tasks that ran, each object with what its part of the image looks like. */
export function analysisAsJson(analysis: Analysis) {
  const { image, results, models, timingsMs } = analysis;
  const { objects, classes, texts, faces } = generalFindings(analysis);
  return {
    image,
    ...(results.detect ? { objects } : {}),
    ...(results.classify ? { classes } : {}),
    ...(results.readText ? { texts } : {}),
    ...(results.faces ? { faces } : {}),
    models,
    timingsMs,
  };
}

/** For a person to read. */
export function analysisAsTables(analysis: Analysis): string {
  const { image, objects, classes, texts, faces, timingsMs } = analysisAsJson(analysis);
  const sections = [`${image.kind}, ${image.width} x ${image.height} pixels`];
  const add = (head: readonly string[], rows: readonly (readonly string[])[], none: string) =>
    sections.push(rows.length > 0 ? formatTable(head, rows) : none);

  if (objects) {
    const width = objects.some((object) => object.classes.length > 0) ? 4 : 3;
    const rows = objects.map(({ label, score, box, classes: parts }) =>
      [
        label.title,
        score.toFixed(2),
        corners(box),
        parts
          .slice(0, 3)
          .map(({ label: { title } }) => title)
          .join(', '),
      ].slice(0, width),
    );
    const head = ['OBJECT', 'SCORE', 'XMIN YMIN XMAX YMAX', 'LOOKS LIKE'].slice(0, width);
    add(head, rows, 'no objects from this score on; try --min-score 0.2');
  }
  if (texts) {
    const rows = texts.map(({ text, score, box }) => [printable(text), score.toFixed(2), corners(box)]);
    add(['TEXT', 'SCORE', 'XMIN YMIN XMAX YMAX'], rows, 'no text');
  }
  if (faces) {
    const rows = faces.map(({ score, box, quality }) => [
      `${Math.round(quality.sizePx)} px`,
      score.toFixed(2),
      corners(box),
      quality.problems.join(', ') || 'none',
    ]);
    add(['FACE', 'SCORE', 'XMIN YMIN XMAX YMAX', 'PROBLEMS'], rows, 'no faces');
  }
  if (classes) {
    const rows = classes.slice(0, 5).map(({ label, score }) => [label.title, score.toFixed(2)]);
    add(['CLASS', 'SCORE'], rows, 'no classes');
  }
  const times = Object.entries(timingsMs).map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
  return [...sections, times.join(', ')].join('\n\n');
}

function corners(box: Box): string {
  return [box.xMin, box.yMin, box.xMax, box.yMax].map(Math.round).join(' ');
}

/** An image's text goes to a terminal: nothing in it may steer one. */
function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, ' ');
}
