import { expect, test } from 'vitest';
import { mergeSlashes } from './merge-slashes.js';

test.each([
  ['/v1/vision/detection', '/v1/vision/detection'],
  ['//v1/vision/detection', '/v1/vision/detection'],
  ['/v1///vision//detection//?a=//b', '/v1/vision/detection/?a=//b'],
  ['/predict/image?url=https://a.example//b', '/predict/image?url=https://a.example//b'],
  ['http://host:80//v1//vision', 'http://host:80/v1/vision'],
  ['HTTP://host?a=//b', 'HTTP://host?a=//b'],
  ['/api/v1/recognition/subjects/a%2F%2Fb', '/api/v1/recognition/subjects/a%2F%2Fb'],
  ['//..//api', '/../api'],
  ['//', '/'],
  ['*', '*'],
  ['', ''],
])('%s is %s', (target, merged) => {
  expect(mergeSlashes(target)).toBe(merged);
});
