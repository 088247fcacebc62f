import { expect, test } from 'vitest';
import { readTold } from './told.js';

test.each([
  ['[]', 'told must be a JSON object of the fields that docs/uploads.md names'],
  ['{"family":"yolo"}', 'told.family must be one of classifier, detector, embedder'],
  ['{"boxes":{"format":"zz"}}', 'told.boxes.format must be one of cxcywh, xyxy, yxyx'],
  ['{"lables":["a"]}', 'told has no field lables: docs/uploads.md names all of them'],
  ['{"input":{"size":1}}', 'told.input has no field size: docs/uploads.md names all of them'],
  ['{"threshold":5}', 'told.threshold must be < 1'],
])('%s is refused with what to mend', (text, message) => {
  expect(() => readTold(text)).toThrow(message);
});
