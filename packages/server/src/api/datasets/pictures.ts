import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import type { PictureLabel } from '../../datasets/dataset.js';
import { ServiceError } from '../../errors/service-error.js';
import { readCursor, writeCursor } from '../cursor.js';
import { defaultLimit, exactly, Id, NextCursor, paging } from '../fields.js';
import { type ApiDeps, type ApiScope, callerOf } from '../scope.js';
import { sendPicture } from '../send-picture.js';
import { sendThumbnail, type ThumbnailDeps, thumbnailQuery } from '../send-thumbnail.js';
import { DatasetParams, fromBox, LabelsGiven, PictureIds, PictureParams, SplitName } from './fields.js';
import { labelsEtag, revisionsWanted } from './labels-etag.js';
import { DatasetPicture, toPicture } from './picture.js';
import { Receipt, toReceipt } from './receipt.js';

const PictureList = Type.Object(
  { data: Type.Array(DatasetPicture), next_cursor: NextCursor },
  { description: 'A page of pictures' },
);
const tags = ['datasets'];

/** Pictures of datasets, and what they show. */
export function addPictureRoutes(
  app: ApiScope,
  { datasets: store, ...deps }: ThumbnailDeps & Pick<ApiDeps, 'datasets'>,
): void {
  const { datasets, pictures, labels, deletion, blobs } = store;

  app.get(
    '/datasets/:id/pictures',
    {
      schema: {
        tags,
        operationId: 'listDatasetPictures',
        summary: 'Pictures of a dataset, the newest first',
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
        response: { 200: PictureList },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const {
        limit = defaultLimit,
        cursor,
        class_id: classId,
        labelled: isLabelled,
        split,
        search,
      } = request.query;
      const page = await pictures.list(
        accountId,
        id,
        { classId, isLabelled, split, search },
        { limit, after: readCursor(Id, cursor) },
      );
      return {
        data: page.items.map(toPicture),
        next_cursor: page.next === null ? null : writeCursor(page.next),
      };
    },
  );

  app.get(
    '/datasets/:id/pictures/:picture_id',
    {
      schema: {
        tags,
        operationId: 'readDatasetPicture',
        summary: 'One picture with its labels',
        params: PictureParams,
        querystring: exactly({}),
        response: { 200: DatasetPicture },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const found = await pictures.read(accountId, id, request.params.picture_id);
      reply.header('etag', labelsEtag(found));
      return toPicture(found);
    },
  );

  app.get(
    '/datasets/:id/pictures/:picture_id/picture',
    {
      schema: {
        tags,
        operationId: 'readDatasetPictureFile',
        summary: 'The picture as it came, or small',
        params: PictureParams,
        querystring: exactly(thumbnailQuery),
        response: {
          200: {
            description: 'The picture',
            content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      const found = await pictures.read(accountId, id, request.params.picture_id);
      const { width } = request.query;
      if (width !== undefined) {
        const wanted = { picture: { owner: 'dataset', id: found.blobId }, widthPx: width } as const;
        return sendThumbnail(deps, request, reply, wanted, { locate: () => blobs.locate(found.blobId) });
      }
      const file = await blobs.read(found.blobId);
      if (file === null) throw new ServiceError('not_found', `picture ${found.id} was deleted meanwhile`);
      return sendPicture(reply, found, file);
    },
  );

  app.put(
    '/datasets/:id/pictures/:picture_id/labels',
    {
      schema: {
        tags,
        operationId: 'setDatasetLabels',
        summary:
          'Says what a picture shows, in place of all labels that it has: [] none of the classes, null not said yet. With If-Match only while they are those that the sender saw, else 412 `labels_changed` with the labels as they are',
        params: PictureParams,
        querystring: exactly({}),
        headers: Type.Object({
          'if-match': Type.Optional(
            Type.String({
              maxLength: 1000,
              description: 'the `ETag`, or `"labels_revision"`, of the picture',
            }),
          ),
        }),
        body: exactly({ labels: LabelsGiven }),
        response: { 200: DatasetPicture },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const dataset = await datasets.read(accountId, request.params.id);
      const found = await pictures.read(accountId, dataset.id, request.params.picture_id);
      const wanted = revisionsWanted(request.headers['if-match']);
      const given = fromLabels(request.body.labels);
      const isSet = await labels.set(accountId, dataset, found, given, wanted);
      const now = await pictures.read(accountId, dataset.id, found.id);
      reply.header('etag', labelsEtag(now));
      if (isSet) return toPicture(now);
      throw new ServiceError(
        'labels_changed',
        'somebody else changed the labels of this picture meanwhile: look at them, then send yours with their ETag',
        { current: toPicture(now) },
      );
    },
  );

  app.delete(
    '/datasets/:id/pictures/:picture_id',
    {
      schema: {
        tags,
        operationId: 'deleteDatasetPicture',
        summary: 'Deletes a picture with its labels',
        params: PictureParams,
        querystring: exactly({}),
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request);
      const dataset = await datasets.read(accountId, request.params.id);
      const { id } = await pictures.read(accountId, dataset.id, request.params.picture_id);
      return toReceipt(await deletion.removePictures(accountId, dataset.id, [id]));
    },
  );

  app.post(
    '/datasets/:id/pictures/delete',
    {
      schema: {
        tags,
        operationId: 'deleteDatasetPictures',
        summary: 'Deletes those of these pictures that the dataset has; the receipt tells how many',
        params: DatasetParams,
        querystring: exactly({}),
        body: exactly({ picture_ids: PictureIds }),
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      return toReceipt(await deletion.removePictures(accountId, id, request.body.picture_ids));
    },
  );
}

function fromLabels(given: Static<typeof LabelsGiven>): readonly PictureLabel[] | null {
  return given?.map(({ class_id, box }) => ({ classId: class_id, box: box ? fromBox(box) : null })) ?? null;
}
