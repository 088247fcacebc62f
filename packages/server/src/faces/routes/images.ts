import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import { sendImage } from '../../http/api/send-image.js';
import { checkCrop, faceThumbnailQuery, sendThumbnail } from '../../http/api/send-thumbnail.js';
import { faceCrop } from '../../storage/thumbnails/face-crop.js';
import { locationOf } from '../../storage/thumbnails/thumbnails.js';
import type { ImagesQuery } from '../face-images.js';
import type { FaceDeps } from './deps.js';
import { FaceImage, toFaceImage } from './face-image.js';
import { IdParams, ImageIds } from './fields.js';
import { findPerception } from './find-perception.js';
import { Receipt, toReceipt } from './receipt.js';

const ImageList = PageOf(FaceImage, 'A page of images');
const Paging = exactly(paging);
const tags = ['images'];

/** Images of people's faces. */
export function addImageRoutes(app: ApiScope, { faces, ...deps }: FaceDeps): void {
  const { people, images, imageFiles, deletion } = faces;

  const list = async (accountId: number, wanted: ImagesQuery, query: Static<typeof Paging>) => {
    const page = await images.list(accountId, wanted, pageRequest(Id, query));
    return toPageAnswer(page, toFaceImage);
  };

  app.get('/perceptions/:id/images', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listImages',
      summary: 'Images of a perception, the newest first',
      params: IdParams,
      querystring: Paging,
      response: { 200: ImageList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await findPerception(faces, accountId, request.params.id);
      return list(accountId, { perceptionId: id }, request.query);
    },
  });

  app.get('/people/:id/images', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listImagesOfPerson',
      summary: 'Images of a person, the newest first',
      params: IdParams,
      querystring: Paging,
      response: { 200: ImageList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await people.read(accountId, request.params.id);
      return list(accountId, { personId: id }, request.query);
    },
  });

  app.get('/face-images/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readImage',
      summary: 'One image: whose it is, where the face is and how good it is',
      params: IdParams,
      response: { 200: FaceImage },
    },
    handler: async (request) =>
      toFaceImage(await images.read(callerOf(request).accountId, request.params.id)),
  });

  app.get('/face-images/:id/content', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readFaceImageContent',
      summary: 'The bytes of an image as they came, or small, or the face in it',
      params: IdParams,
      querystring: exactly(faceThumbnailQuery),
      response: {
        200: {
          description: 'The image',
          content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const image = await images.read(callerOf(request).accountId, request.params.id);
      const { width, crop } = request.query;
      checkCrop(crop, width);
      if (width !== undefined) {
        const wanted = {
          image: { owner: 'face', id: image.blobId } as const,
          widthPx: width,
          ...(crop === undefined ? {} : faceCrop(image.face)),
        };
        return sendThumbnail(deps, request, reply, wanted, locationOf(imageFiles, image.blobId));
      }
      const content = await imageFiles.read(image.blobId);
      if (content === null) {
        throw new ServiceError('not_found', `image ${image.id} was deleted meanwhile`);
      }
      return sendImage(reply, { id: image.id, kind: image.imageKind }, content);
    },
  });

  app.delete('/face-images/:id', {
    config: { right: 'change', audit: ['face_images.delete', 'face_image'] },
    schema: {
      tags,
      operationId: 'deleteImage',
      summary: 'Deletes an image with its image and vector',
      params: IdParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await images.read(accountId, request.params.id);
      return toReceipt(await deletion.removeImages(accountId, [id]));
    },
  });

  app.post('/perceptions/:id/images/delete', {
    config: { right: 'change', audit: ['face_images.delete', 'face_image'] },
    schema: {
      tags,
      operationId: 'deleteImages',
      summary: 'Deletes those of these images that the perception has; the receipt counts them',
      params: IdParams,
      body: exactly({ image_ids: ImageIds }),
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await findPerception(faces, accountId, request.params.id);
      const found = await images.found(accountId, request.body.image_ids);
      const ids = [...found.values()].filter((image) => image.perceptionId === id).map((image) => image.id);
      return toReceipt(await deletion.removeImages(accountId, ids));
    },
  });
}
