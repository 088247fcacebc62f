import type { Analysis, Mark } from '@lynceus/engine';

/** What `--annotate` draws: texts by their polygons, faces and objects by their boxes. */
export function marksOf({ results }: Analysis): Mark[] {
  const objects = (results.detect?.detections ?? []).map(({ label, score, box }) => ({
    box,
    title: label.title,
    note: score.toFixed(2),
  }));
  const faces = (results.faces?.faces ?? []).map(({ box, score }) => ({
    box,
    title: 'face',
    group: 'faces',
    note: score.toFixed(2),
  }));
  const texts = (results.readText?.lines ?? []).map(({ text, polygon, box }) => ({
    box,
    polygon,
    title: text,
    group: 'line',
  }));
  return [...texts, ...faces, ...objects];
}
