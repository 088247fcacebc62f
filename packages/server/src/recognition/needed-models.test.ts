import { expect, test } from 'vitest';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import { neededModelIds } from './needed-models.js';

test('the settings decide which models a service needs', () => {
  const all = 'classes,objects,texts,faces';
  const accurate = neededModelIds({ recognitionParts: all, faceChain: 'accurate' }, createBuiltinModels());
  expect(accurate).toEqual(
    expect.arrayContaining(['coco-ssd', 'inception-v3', 'ppocr-v4-rec', 'fr-feature', 'onet']),
  );
  expect(accurate).not.toContain('dlib-resnet');
  expect(
    neededModelIds({ recognitionParts: all, faceChain: 'permissive' }, createBuiltinModels()),
  ).not.toContain('fr-feature');
  // What the other operations answer with is always needed.
  expect(
    neededModelIds({ recognitionParts: 'texts', faceChain: 'accurate' }, createBuiltinModels()).sort(),
  ).toEqual(['centernet-coco', 'coco-ssd', 'inception-v3', 'ppocr-v2-angle', 'ppocr-v4-det', 'ppocr-v4-rec']);
});
