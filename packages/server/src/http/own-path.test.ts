import { expect, test } from 'vitest';
import { ownPath } from '../start/http/errors.js';

test.each([
  ['/predict', '', '/predict'],
  ['/predict/?api_key=x', '', '/predict'],
  ['/predict#a?b', '', '/predict'],
  ['http://host:80/predict?api_key=x', '', '/predict'],
  ['HTTP://h/vision/api/keys', '/vision', '/api/keys'],
  ['/predic%74', '', '/predict'],
  ['/%61pi/keys', '', '/api/keys'],
  ['/api%2Fkeys', '', '/api%2Fkeys'],
  ['/predict%', '', '/predict%'],
  ['/other/predict', '/vision', ''],
  ['*', '', '*'],
])('%s below "%s" is %s', (target, prefix, path) => {
  expect(ownPath(target, prefix)).toBe(path);
});
