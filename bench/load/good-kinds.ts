import { formOf } from './form.js';
import type { Kind, Scene } from './kind.js';
import { busy } from './told.js';
import type { Sent } from './visitor.js';

/** Calls of both generations that are right; each `200` counts. */
export const goodKinds: readonly Kind[] = [
  call('v1 upload, classes and objects', 6, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&parts=classes,objects&predicttype=basic`,
    ...formOf(pictures.jpeg),
  })),
  call('v1 upload, all parts', 2, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
    ...formOf(pictures.jpeg),
  })),
  call('v1 by address', 4, ({ key, host }) => ({
    method: 'GET',
    path: `/predict/image?url=${encodeURIComponent(host.address('/picture'))}&apikey=${key}&parts=classes`,
  })),
  call('v1 data URL', 3, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&parts=classes`,
    ...formOf(`data:image/png;base64,${pictures.png.toString('base64')}`, 'name="image"'),
  })),
  call('v1 bare body', 3, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/image/?apikey=${key}&parts=faces`,
    headers: { 'content-type': 'application/octet-stream' },
    body: pictures.png,
  })),
  call('v1 custom recognition', 4, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&model_id=201`,
    ...formOf(pictures.webp),
  })),
  call('v1 object detection', 2, ({ key, pictures }) => ({
    method: 'POST',
    path: `/predict/object_detection/?apikey=${key}`,
    ...formOf(pictures.jpeg),
  })),
  call('v1 object detection by address', 2, ({ key, host }) => ({
    method: 'POST',
    path: `/predict/object_detection/?url=${encodeURIComponent(host.address('/picture'))}&apikey=${key}&model_id=102`,
  })),
  {
    ...call('v2 fast', 10, ({ key, pictures }) =>
      detection(key, { picture: pictures.jpeg, model: 'coco-fast' }),
    ),
    isTimed: true,
  },
  call('v2 accurate', 3, ({ key, pictures }) => detection(key, { picture: pictures.jpeg })),
  call('v2 above a MiB', 2, ({ key, pictures }) =>
    detection(key, { picture: pictures.heavy, model: 'coco-fast' }),
  ),
  call('v2 by address', 3, ({ key, host }) => ({
    method: 'POST',
    path: `/predict?apikey=${key}`,
    body: JSON.stringify({ image_file_url: host.address('/picture'), model_id: 102 }),
  })),
];

/** The v2 call of a picture; without a model, the default one. */
export function detection(key: string, { picture, model }: { picture: Buffer; model?: string }): Sent {
  return {
    method: 'PUT',
    path: `/predict?api_key=${key}`,
    body: JSON.stringify({ base64str: picture.toString('base64'), ...(model ? { model_id: model } : {}) }),
  };
}

function call(name: string, weight: number, make: (scene: Scene) => Sent): Kind {
  return {
    name,
    weight,
    answers: ['200', busy],
    counts: 'key',
    send: async (visitor, scene) => (await visitor.ask(make(scene))).told,
  };
}
