import { Type } from 'typebox';
import { toAnswer } from '../../../http/api/answer.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id, Name, Time } from '../../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { DatasetCounts } from '../counts.js';
import type { Dataset as DomainDataset } from '../dataset.js';
import { importKind } from '../import/import-job.js';
import type { DatasetDeps } from './deps.js';
import { DatasetParams, Task } from './fields.js';
import { Receipt, toReceipt } from './receipt.js';

const dataset = {
  id: Type.Integer({ examples: [1001] }),
  uid: Type.String(),
  name: Type.String({ examples: ['raccoons'] }),
  task: Task,
  multi_label: Type.Boolean({ description: 'whether an image may have any number of classes' }),
  created_at: Time,
};
export const Dataset = Type.Object(dataset, {
  title: 'Dataset',
  description: 'The dataset: labelled images to train with',
});
const CountedClass = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    images: Type.Integer({ description: 'that show it' }),
    labels: Type.Integer({ description: 'boxes, in object detection' }),
    held_out: Type.Integer({ description: 'of the images' }),
  },
  { title: 'CountedDatasetClass' },
);
export const CountedDataset = Type.Object(
  {
    ...dataset,
    images: Type.Integer(),
    labelled: Type.Integer({ description: 'that have labels, or are marked as empty' }),
    image_bytes: Type.Integer(),
    train: Type.Integer({ description: 'images to train with' }),
    held_out: Type.Integer({ description: 'images to measure with' }),
    classes: Type.Array(CountedClass, { description: 'in the order in which they were added' }),
  },
  { title: 'CountedDataset', description: 'The dataset, and how much it holds' },
);
const DatasetList = PageOf(Dataset, 'A page of datasets');
const tags = ['datasets'];

/** Labelled images to train with. */
export function addDatasetRecordRoutes(app: ApiScope, { datasets: store, jobs }: DatasetDeps): void {
  const { datasets, deletion } = store;

  app.get('/datasets', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listDatasets',
      summary: 'Datasets of this account, the newest first',
      querystring: exactly(paging),
      response: { 200: DatasetList },
    },
    async handler(request) {
      const page = await datasets.list(callerOf(request).accountId, pageRequest(Id, request.query));
      return toPageAnswer(page, toDataset);
    },
  });

  app.post('/datasets', {
    config: { right: 'change', audit: ['datasets.create', 'dataset'] },
    schema: {
      tags,
      operationId: 'createDataset',
      summary: 'Makes a dataset for a task; the task stays',
      body: exactly({
        name: Name,
        task: Task,
        multi_label: Type.Optional(Type.Boolean({ description: 'true or false' })),
      }),
      response: { 201: Dataset },
    },
    async handler(request) {
      const { name, task, multi_label: multiLabel = false } = request.body;
      const made = await datasets.create(callerOf(request).accountId, { name, task, multiLabel });
      return toDataset(made);
    },
  });

  app.get('/datasets/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDataset',
      summary: 'One dataset, with its classes and how much it holds',
      params: DatasetParams,
      response: { 200: CountedDataset },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const found = await datasets.read(accountId, request.params.id);
      return { ...toDataset(found), ...toCounts(await store.count(accountId, found)) };
    },
  });

  app.patch('/datasets/:id', {
    config: { right: 'change', audit: ['datasets.change', 'dataset'] },
    schema: {
      tags,
      operationId: 'changeDataset',
      summary: 'Renames a dataset',
      params: DatasetParams,
      body: exactly({ name: Name }),
      response: { 200: Dataset },
    },
    handler: async (request) =>
      toDataset(await datasets.rename(callerOf(request).accountId, request.params.id, request.body.name)),
  });

  app.delete('/datasets/:id', {
    config: { right: 'change', audit: ['datasets.delete', 'dataset'] },
    schema: {
      tags,
      operationId: 'deleteDataset',
      summary: 'Deletes a dataset with its images, labels and classes; models trained on it stay',
      params: DatasetParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = request.params;
      const receipt = await deletion.removeDataset(accountId, id);
      const importing = await jobs.latest(accountId, importKind, String(id));
      if (importing !== null) await jobs.cancel(accountId, importing.id);
      jobs.wake();
      return toReceipt(receipt);
    },
  });
}

const toDataset = (dataset: DomainDataset) => toAnswer(Dataset, dataset);

function toCounts({ bytes, heldOut, classes, images, labelled, train }: DatasetCounts) {
  return {
    images,
    labelled,
    image_bytes: bytes,
    train,
    held_out: heldOut,
    classes: classes.map(({ heldOut: held, ...each }) => ({ ...each, held_out: held })),
  };
}
