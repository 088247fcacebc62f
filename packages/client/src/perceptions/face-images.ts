import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { DeletionReceipt, EnrolledImage, FaceImage, Person, ReEmbeddedImage } from '../api-types.js';
import { LynceusError } from '../error.js';
import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import { upload } from '../recognition/upload.js';
import { ask, type Send } from '../service/call.js';
import { checked, checkNames } from '../service/checked.js';
import type { FaceThumbnailOptions } from '../thumbnail.js';
import { personPath } from './people.js';
import { perceptionPath } from './perceptions.js';

/** Whose images: all of a perception, or those of a person. */
export type ImagesOf = { readonly modelId: number } | { readonly personId: number };

export interface AcceptOptions extends CallOptions {
  /** Whether a face that is blurred, covered, or has uncertain eyes, nose and mouth is added: it never makes a match, and is refused unless this is true. */
  readonly acceptProblems?: boolean;
}

export interface AddImageOptions extends AcceptOptions {
  readonly personId: number;
}

export interface AddImageByKeyIdOptions extends AcceptOptions {
  /** The perception. */
  readonly modelId: number;
  /** Your own id of the person, 1 to 200 characters; a new one creates a person of that name. */
  readonly keyId: string;
}

/** To a person of the perception, or to a new person of this name. */
export type MoveImagesOptions = CallOptions & ({ readonly personId: number } | { readonly name: string });

const pathOf = (id: number) => `/api/face-images/${toPathPart('id', id)}`;
const listPath = (of: ImagesOf) => {
  checkNames('faceImages', of, { modelId: 'optional', personId: 'optional' });
  const { modelId, personId }: { modelId?: number; personId?: number } = of;
  if (modelId !== undefined) return `${perceptionPath(modelId)}/images`;
  if (personId !== undefined) return `${personPath(personId)}/images`;
  throw new LynceusError('wrong_parameters', 'modelId or personId is missing');
};

/** Images of people's faces. */
export function createFaceImages(send: Send) {
  const page = async (of: ImagesOf, options: PageOptions = {}): Promise<Page<FaceImage>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: listPath(of), query: { limit, cursor } }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All images of a perception or of a person, the newest first, for `for await`. */
    list: (of: ImagesOf, options: ListOptions = {}) =>
      walkPages((cursor) => page(of, { ...options, cursor })),

    /** Adds the largest face of an image to a person, and reports what is wrong with it. */
    add: async (image: Image, options: AddImageOptions): Promise<EnrolledImage> => {
      const call = upload(listPath({ personId: options.personId }), image, {
        accept_problems: options.acceptProblems,
      });
      return ask(send, { ...call, creates: true }, options);
    },

    /** The same by your own id of the person. */
    addByKeyId: async (image: Image, options: AddImageByKeyIdOptions): Promise<EnrolledImage> => {
      const call = upload(listPath({ modelId: options.modelId }), image, {
        key_id: options.keyId,
        accept_problems: options.acceptProblems,
      });
      return ask(send, { ...call, creates: true }, options);
    },

    /** One image: whose it is, where the face is and how good it is. */
    read: async (id: number, options: CallOptions = {}): Promise<FaceImage> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** The bytes of an image as they came, or small, or the face in it. */
    readContent: async (id: number, options: FaceThumbnailOptions = {}): Promise<Blob> => {
      const query = { width: options.width, crop: options.crop };
      return ask(send, { method: 'GET', path: `${pathOf(id)}/content`, query, wants: 'image' }, options);
    },

    /** Analyses an image again, and computes the vector of its face with the perception's model. */
    reEmbed: async (id: number, options: CallOptions = {}): Promise<ReEmbeddedImage> =>
      ask(send, { method: 'POST', path: `${pathOf(id)}/re-embed` }, options),

    /** Deletes an image. */
    remove: async (id: number, options: CallOptions = {}): Promise<DeletionReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),

    /** Deletes those of these images that the perception has, 500 at most; the receipt counts them. */
    removeMany: async (
      modelId: number,
      imageIds: readonly number[],
      options: CallOptions = {},
    ): Promise<DeletionReceipt> => {
      const path = `${listPath({ modelId })}/delete`;
      return ask(send, { method: 'POST', path, json: { image_ids: imageIds } }, options);
    },

    /** Moves images, 500 at most, within their perception: all or none. Answers the person whose they are now. */
    move: async (
      modelId: number,
      imageIds: readonly number[],
      options: MoveImagesOptions,
    ): Promise<Person> => {
      const { personId, name }: { personId?: number; name?: string } = options;
      const to = personId === undefined ? { name } : { person_id: personId };
      const json = { image_ids: imageIds, ...to };
      return ask(
        send,
        { method: 'POST', path: `${listPath({ modelId })}/move`, json, creates: true },
        options,
      );
    },
  };
  return checked('faceImages', calls, {
    page: [1, paged],
    list: [1, listed, true],
    add: [1, { personId: 'needed', acceptProblems: 'optional' }],
    addByKeyId: [1, { modelId: 'needed', keyId: 'needed', acceptProblems: 'optional' }],
    readContent: [1, { width: 'optional', crop: 'optional' }],
    move: [2, { personId: 'optional', name: 'optional' }],
  });
}
