/** Answers of v1 as the OpenAPI document shows them. */
export const examples = {
  recognition: {
    status: 'ok',
    url: 'https://images.example/dog.jpg',
    predictions: [
      { class_title: 'dog', order: '1', parent_object: 'dog', score: 0.93 },
      { class_title: 'malamute', order: '2', score: 0.75 },
    ],
    texts: {
      status: 'ok, results limited to 15',
      predictions: [
        {
          text_value: 'OPEN',
          coordinates: '412,498,30,61',
          score: 0.98,
          polygon: [
            [412, 33],
            [497, 30],
            [498, 58],
            [413, 61],
          ],
        },
      ],
      summary: [{ text_value: 'OPEN', count: '1' }],
    },
    objects: {
      predictions: [
        {
          sub_predictions: [{ class_title: 'husky', order: 1, parent_object: 'dog', score: 0.9 }],
          object_title: 'dog',
          coordinates: '10,110,21,221',
          score: 0.93,
        },
      ],
      summary: [{ count: '1', object_title: 'dog' }],
    },
    faces: { face_count: 1, predictions: [{ face_name: 'unknown', coordinates: '201,264,88,170' }] },
    predicttype: 'dense',
    fileid: '4f0c2b6d9e1a4c7f8b3d5e6a7c8d9e0f',
    predict_type: 'dense',
  },
  detection: {
    status: 'ok',
    prediction_type: 'object_detection',
    predictions: [
      {
        class_title: 'dog',
        model_id: 101,
        score: 0.93,
        coordinates: { xmin: 10, ymin: 21, xmax: 110, ymax: 221 },
      },
    ],
  },
};
