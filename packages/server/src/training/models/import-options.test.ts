import { expect, test } from 'vitest';
import { readImportOptions } from './import-options.js';

test.each([
  ['[]', 'options must be a JSON object of the fields that docs/uploads.md names'],
  ['{"family":"yolo"}', 'options.family must be one of classifier, detector, embedder'],
  ['{"boxes":{"format":"zz"}}', 'options.boxes.format must be one of cxcywh, xyxy, yxyx'],
  ['{"lables":["a"]}', 'options has no field lables: docs/uploads.md names all of them'],
  ['{"input":{"size":1}}', 'options.input has no field size: docs/uploads.md names all of them'],
  ['{"threshold":5}', 'options.threshold must be < 1'],
])('%s is refused with what to fix', (text, message) => {
  expect(() => readImportOptions(text)).toThrow(message);
});
