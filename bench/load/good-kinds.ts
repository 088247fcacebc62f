import { formOf } from './form.js';
import type { Kind, Scene } from './kind.js';
import { busy } from './outcome.js';
import type { Sent } from './visitor.js';

/** Calls of both generations that are right; each `200` counts. */
export const goodKinds: readonly Kind[] = [
  call('v1 upload, classes and objects', 6, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&parts=classes,objects&predicttype=basic`,
    ...formOf(images.jpeg),
  })),
  call('v1 upload, all parts', 2, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
    ...formOf(images.jpeg),
  })),
  call('v1 by address', 4, ({ key, host }) => ({
    method: 'GET',
    path: `/predict/image?url=${encodeURIComponent(host.address('/image'))}&apikey=${key}&parts=classes`,
  })),
  call('v1 data URL', 3, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&parts=classes`,
    ...formOf(`data:image/png;base64,${images.png.toString('base64')}`, 'name="image"'),
  })),
  call('v1 bare body', 3, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image/?apikey=${key}&parts=faces`,
    headers: { 'content-type': 'application/octet-stream' },
    body: images.png,
  })),
  call('v1 custom recognition', 4, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&model_id=201`,
    ...formOf(images.webp),
  })),
  call('v1 object detection', 2, ({ key, images }) => ({
    method: 'POST',
    path: `/predict/object_detection/?apikey=${key}`,
    ...formOf(images.jpeg),
  })),
  call('v1 object detection by address', 2, ({ key, host }) => ({
    method: 'POST',
    path: `/predict/object_detection/?url=${encodeURIComponent(host.address('/image'))}&apikey=${key}&model_id=102`,
  })),
  {
    ...call('v2 fast', 10, ({ key, images }) => detection(key, { image: images.jpeg, model: 'coco-fast' })),
    isTimed: true,
  },
  call('v2 accurate', 3, ({ key, images }) => detection(key, { image: images.jpeg })),
  call('v2 above a MiB', 2, ({ key, images }) => detection(key, { image: images.heavy, model: 'coco-fast' })),
  call('v2 by address', 3, ({ key, host }) => ({
    method: 'POST',
    path: `/predict?apikey=${key}`,
    body: JSON.stringify({ image_file_url: host.address('/image'), model_id: 102 }),
  })),
];

/** The v2 call of an image; without a model, the default one. */
export function detection(key: string, { image, model }: { image: Buffer; model?: string }): Sent {
  return {
    method: 'PUT',
    path: `/predict?api_key=${key}`,
    body: JSON.stringify({ base64str: image.toString('base64'), ...(model ? { model_id: model } : {}) }),
  };
}

function call(name: string, weight: number, make: (scene: Scene) => Sent): Kind {
  return {
    name,
    weight,
    answers: ['200', busy],
    counts: 'key',
    send: async (visitor, scene) => (await visitor.ask(make(scene))).outcome,
  };
}
