import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import { PageOf, pageRequest, paging, toLargePageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { sendImage } from '../../../http/api/send-image.js';
import { sendThumbnail, thumbnailQuery } from '../../../http/api/send-thumbnail.js';
import { locationOf } from '../../../storage/thumbnails/thumbnails.js';
import type { ImageLabel } from '../dataset.js';
import type { DatasetDeps } from './deps.js';
import { DatasetParams, fromBox, ImageIds, ImageParams, LabelsInput, SplitName } from './fields.js';
import { DatasetImage, toImage } from './image.js';
import { expectedRevisions, labelsEtag } from './labels-etag.js';
import { Receipt, toReceipt } from './receipt.js';

const ImageList = PageOf(DatasetImage, 'A page of images');
const tags = ['datasets'];

/** Images of datasets, and what they show. */
export function addImageRoutes(app: ApiScope, { datasets: store, ...deps }: DatasetDeps): void {
  const { datasets, images, labels, deletion, blobs } = store;

  app.get('/datasets/:id/images', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listDatasetImages',
      summary: 'Images of a dataset, the newest first',
      params: DatasetParams,
      querystring: exactly({
        ...paging,
        class_id: Type.Optional(Id),
        labelled: Type.Optional(Type.Boolean({ description: 'true or false' })),
        split: Type.Optional(SplitName),
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\u0000]*$',
            description: 'a part of a file name',
          }),
        ),
      }),
      response: { 200: ImageList },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const { class_id: classId, labelled: isLabelled, split, search } = request.query;
      const page = await images.list(
        accountId,
        id,
        { classId, isLabelled, split, search },
        pageRequest(Id, request.query),
      );
      return toLargePageAnswer(reply, page, toImage);
    },
  });

  app.get('/datasets/:id/images/:image_id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDatasetImage',
      summary: 'One image with its labels',
      params: ImageParams,
      response: { 200: DatasetImage },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const found = await images.read(accountId, id, request.params.image_id);
      reply.header('etag', labelsEtag(found));
      return toImage(found);
    },
  });

  app.get('/datasets/:id/images/:image_id/content', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDatasetImageContent',
      summary: 'The image as it came, or small',
      params: ImageParams,
      querystring: exactly(thumbnailQuery),
      response: {
        200: {
          description: 'The image',
          content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const found = await images.read(accountId, id, request.params.image_id);
      const { width } = request.query;
      if (width !== undefined) {
        const wanted = { image: { owner: 'dataset', id: found.blobId }, widthPx: width } as const;
        return sendThumbnail(deps, request, reply, wanted, locationOf(blobs, found.blobId));
      }
      const file = await blobs.read(found.blobId);
      if (file === null) throw new ServiceError('not_found', `image ${found.id} was deleted meanwhile`);
      return sendImage(reply, found, file);
    },
  });

  app.put('/datasets/:id/images/:image_id/labels', {
    config: { right: 'change', audit: ['dataset_images.label', 'dataset_image'] },
    schema: {
      tags,
      operationId: 'setDatasetLabels',
      summary:
        'Says what an image shows, in place of all labels that it has: [] none of the classes, null not said yet. With If-Match only while they are those that the sender saw, else 412 `labels_changed` with the labels as they are',
      params: ImageParams,
      headers: Type.Object({
        'if-match': Type.Optional(
          Type.String({
            maxLength: 1000,
            description: 'the `ETag`, or `"labels_revision"`, of the image',
          }),
        ),
      }),
      body: exactly({ labels: LabelsInput }),
      response: { 200: DatasetImage },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await datasets.read(accountId, request.params.id);
      const found = await images.read(accountId, dataset.id, request.params.image_id);
      const wanted = expectedRevisions(request.headers['if-match']);
      const given = fromLabels(request.body.labels);
      const isSet = await labels.set(accountId, dataset, found, given, { revisions: wanted });
      const now = await images.read(accountId, dataset.id, found.id);
      reply.header('etag', labelsEtag(now));
      if (isSet) return toImage(now);
      throw new ServiceError(
        'labels_changed',
        'the labels of this image changed meanwhile: read them, then send yours with the new ETag',
        { current: toImage(now) },
      );
    },
  });

  app.delete('/datasets/:id/images/:image_id', {
    config: { right: 'change', audit: ['dataset_images.delete', 'dataset_image'] },
    schema: {
      tags,
      operationId: 'deleteDatasetImage',
      summary: 'Deletes an image with its labels',
      params: ImageParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const dataset = await datasets.read(accountId, request.params.id);
      const { id } = await images.read(accountId, dataset.id, request.params.image_id);
      return toReceipt(await deletion.removeImages(accountId, dataset.id, [id]));
    },
  });

  app.post('/datasets/:id/images/delete', {
    config: { right: 'change', audit: ['dataset_images.delete', 'dataset_image'] },
    schema: {
      tags,
      operationId: 'deleteDatasetImages',
      summary: 'Deletes those of these images that the dataset has; the receipt counts them',
      params: DatasetParams,
      body: exactly({ image_ids: ImageIds }),
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      return toReceipt(await deletion.removeImages(accountId, id, request.body.image_ids));
    },
  });
}

function fromLabels(given: Static<typeof LabelsInput>): readonly ImageLabel[] | null {
  return given?.map(({ class_id, box }) => ({ classId: class_id, box: box ? fromBox(box) : null })) ?? null;
}
