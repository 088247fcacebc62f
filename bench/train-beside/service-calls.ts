import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BoxedImage } from '@lynceus/engine';
import type { Service } from '../service.js';

interface ApiAnswer {
  readonly id?: number | string;
  readonly model_id?: number;
  readonly state?: string;
  readonly error?: string | null;
  readonly progress?: { readonly stage: string | null };
  readonly data?: readonly { readonly image_id: number | null }[];
}

export type TrainedTask = 'classification' | 'object_detection';

/** What the bench asks of the management API. */
export function serviceCalls({ url, key }: Service) {
  const call = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const json = (await answer.json()) as ApiAnswer;
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const upload = async (path: string, file: string, label?: string): Promise<number> => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await readFile(file))]), basename(file));
    const { data } = await call('POST', label ? `${path}?label=${encodeURIComponent(label)}` : path, form);
    return data?.[0]?.image_id ?? 0;
  };
  return {
    async makeDataset(task: TrainedTask): Promise<number> {
      return Number((await call('POST', '/api/datasets', { name: task, task })).id);
    },
    addClassified: (dataset: number, file: string, label: string) =>
      upload(`/api/datasets/${dataset}/images`, file, label),
    async makeClass(dataset: number, name: string): Promise<number> {
      return Number((await call('POST', `/api/datasets/${dataset}/classes`, { name })).id);
    },
    async addBoxed(dataset: number, classId: number, { path, boxes }: BoxedImage): Promise<void> {
      const image = await upload(`/api/datasets/${dataset}/images`, path);
      const labels = boxes.map(({ box: { xMin, yMin, xMax, yMax } }) => ({
        class_id: classId,
        box: { x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax },
      }));
      await call('PUT', `/api/datasets/${dataset}/images/${image}/labels`, { labels });
    },
    async startTraining(task: TrainedTask, dataset: number) {
      const { model_id: model } = await call('POST', '/api/models', { name: 'beside', task });
      const { id } = await call('POST', `/api/models/${model}/runs`, { dataset_id: dataset });
      const read = () => call('GET', `/api/jobs/${id}`);
      return {
        read,
        /** The features of its images go with it. */
        async remove() {
          await call('DELETE', `/api/jobs/${id}`);
          for (let { state } = await read(); state === 'running'; { state } = await read()) await sleep(200);
          await call('DELETE', `/api/models/${model}`);
        },
      };
    },
  };
}
