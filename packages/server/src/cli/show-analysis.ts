import type { Analysis } from '@lynceus/engine';
import { formatTable } from './table.js';

/** What was found, each object with what its part of the picture looks like. */
export function analysisAsJson({ picture, results, models, timingsMs }: Analysis) {
  const segments = new Map(results.segment?.segments.map(({ detection, classes }) => [detection, classes]));
  return {
    picture,
    objects: results.detect?.detections.map((found, index) => ({ ...found, classes: segments.get(index) })),
    classes: results.classify?.classes,
    models,
    timingsMs,
  };
}

/** For a person to read. */
export function analysisAsTables(analysis: Analysis): string {
  const { picture, objects, classes, timingsMs } = analysisAsJson(analysis);
  const sections = [`${picture.kind}, ${picture.width} x ${picture.height} pixels`];
  if (objects) {
    const rows = objects.map(({ label, score, box, classes: parts }) => [
      label.title,
      score.toFixed(2),
      [box.xMin, box.yMin, box.xMax, box.yMax].map(Math.round).join(' '),
      parts?.map(({ label: { title } }) => title).join(', ') ?? '',
    ]);
    const head = ['OBJECT', 'SCORE', 'XMIN YMIN XMAX YMAX', 'LOOKS LIKE'];
    const width = objects.some((object) => object.classes) ? 4 : 3;
    sections.push(
      rows.length > 0
        ? formatTable(
            head.slice(0, width),
            rows.map((row) => row.slice(0, width)),
          )
        : 'no objects from this score on; try --min-score 0.2',
    );
  }
  if (classes) {
    sections.push(
      formatTable(
        ['CLASS', 'SCORE'],
        classes.map(({ label, score }) => [label.title, score.toFixed(2)]),
      ),
    );
  }
  const times = Object.entries(timingsMs).map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
  return [...sections, times.join(', ')].join('\n\n');
}
