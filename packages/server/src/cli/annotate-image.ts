import { type Analysis, drawMarks, type ImageSource, type Mark, openImage } from '@lynceus/engine';
import type { Settings } from '../core/settings.js';

/** A JPEG of an image with what was found drawn on it. */
export async function annotateImage(
  source: ImageSource,
  analysis: Analysis,
  settings: Pick<Settings, 'maxPixels'>,
): Promise<Uint8Array> {
  const image = await openImage(source, {
    limits: { maxPixels: settings.maxPixels },
    detailPx: Number.POSITIVE_INFINITY,
  });
  return (await drawMarks(image, marksOf(analysis))).jpeg;
}

/** What `--annotate` draws: texts by their polygons, faces and objects by their boxes. */
function marksOf({ results }: Analysis): Mark[] {
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
