import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { tinyOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { drawImage } from '../crash/custom/draw-image.js';
import type { Service } from '../service.js';

/** Enrols faces, uploads a version of a model, and labels images: files of every kind that is kept. */
export async function fill({ url, key }: Pick<Service, 'url' | 'key'>, faces: number): Promise<void> {
  const ask = async (path: string, body: FormData | object): Promise<Record<string, unknown>> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const perception = Number((await ask('/api/perceptions', { name: `faces ${Date.now()}` }))['model_id']);
  for (let at = 0; at < faces; at += 1) {
    const drawn = await drawFaces(320, 240, [{ x: 150 + at, y: 120, unit: 5, tiltDeg: at }]);
    const query = `command=insert_person_image_key_id&key_id=person-${at}&model_id=${perception}&apikey=${key}`;
    const { status } = await ask(`/predict/face?${query}`, fileForm('image', drawn));
    if (!(Number(status) > 0)) throw new Error(`an enrolment was answered ${status}`);
  }
  const model = Number(
    (await ask('/api/models', { name: `m ${Date.now()}`, task: 'classification' }))['model_id'],
  );
  const version = fileForm('file', tinyOnnx([0.9, 0.1]));
  version.set('options', JSON.stringify({ labels: ['much', 'little'] }));
  await ask(`/api/models/${model}/versions`, version);
  const dataset = Number(
    (await ask('/api/datasets', { name: `d ${Date.now()}`, task: 'classification' }))['id'],
  );
  await ask(`/api/datasets/${dataset}/images`, fileForm('file', await drawImage('circle')));
}

function fileForm(name: string, bytes: Uint8Array): FormData {
  const form = new FormData();
  form.set(name, new Blob([new Uint8Array(bytes)]), 'net.onnx');
  return form;
}
