import { expect, test } from 'vitest';
import { findGeneral } from './findings.js';

test('boxes of v1 are X1,X2,Y1,Y2', () => {
  const found = findGeneral({
    status: 'ok',
    predictions: [{ class_title: 'animal', order: '1', score: 0.9 }],
    texts: {
      status: '',
      predictions: [
        {
          text_value: 'STOP',
          coordinates: '1,2,3,4',
          score: 0.8,
          polygon: [
            [1, 3],
            [2, 3],
            [2, 4],
            [1, 4],
          ],
        },
      ],
      summary: [],
    },
    objects: {
      predictions: [{ object_title: 'dog', coordinates: '10,30,20,60', score: 0.7, sub_predictions: [] }],
      summary: [],
    },
    faces: { face_count: 1, predictions: [{ face_name: 'Ada', coordinates: '5,6,7,8' }] },
    predicttype: 'basic',
    predict_type: 'basic',
    fileid: 'f',
  });
  expect(found.map(({ kind, label }) => [kind, label])).toEqual([
    ['object', 'dog'],
    ['face', 'Ada'],
    ['text', 'STOP'],
    ['class', 'animal'],
  ]);
  expect(found[0]?.corners).toEqual([
    [10, 20],
    [30, 20],
    [30, 60],
    [10, 60],
  ]);
  expect(found[3]?.corners).toBeNull();
});
