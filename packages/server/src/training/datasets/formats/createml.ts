import { classNameOf, fieldOf, numberOf, type PlannedLabel } from './plan.js';
import { type FileFormat, parseJson, sortLabels } from './plan-files.js';

/** Create ML: JSON lists of images with `annotations`, whose coordinates are those of the centre and the sides, in pixels. */
export const createml: FileFormat = {
  format: 'createml',
  files: /\.json$/i,
  missing: 'Create ML has JSON lists of objects with image and annotations',
  isBegun: (start) => /^\s*\[\s*\{/.test(start),
  parse(text, path) {
    const document = parseJson(text, path);
    const entries = (Array.isArray(document) ? document : []).flatMap((entry: unknown) => {
      const name =
        fieldOf(entry, 'image') ?? fieldOf(entry, 'imagefilename') ?? fieldOf(entry, 'imageFilename');
      const annotations = fieldOf(entry, 'annotations') ?? fieldOf(entry, 'annotation');
      if (annotations === undefined || annotations === null) return [];
      const labels = Array.isArray(annotations) ? annotations.map(toLabel) : ['annotations are not a list'];
      return [{ name: typeof name === 'string' ? name : null, ...sortLabels(labels) }];
    });
    return entries.some(({ name }) => name !== null) ? entries : null;
  },
};

function toLabel(annotation: unknown): PlannedLabel | string {
  const className = classNameOf(fieldOf(annotation, 'label'));
  if (className === undefined) return 'an annotation has no label';
  const coordinates = fieldOf(annotation, 'coordinates');
  if (coordinates === undefined) return { className, unit: 'pixels', box: null };
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) =>
    numberOf(fieldOf(coordinates, name)),
  );
  if (x === undefined || y === undefined || width === undefined || height === undefined)
    return 'coordinates are not x, y, width, height, as numbers';
  const box = { xMin: x - width / 2, yMin: y - height / 2, xMax: x + width / 2, yMax: y + height / 2 };
  return { className, unit: 'pixels', box };
}
