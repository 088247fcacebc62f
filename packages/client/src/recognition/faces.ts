import { toPathPart } from '../account/path-part.js';
import type { CreatedPerson, FaceSearch, InsertedImage } from '../api-types.js';
import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { askWithFileId, type WithFileId } from './file-id.js';
import { upload } from './upload.js';

export interface FaceSearchOptions extends CallOptions {
  /** The perception. */
  readonly modelId: string | number;
  /** This person alone; all unless given. */
  readonly personIdFilter?: number | undefined;
}

export interface CreatePersonOptions extends CallOptions {
  /** The perception. */
  readonly modelId: string | number;
  /** 1 to 200 characters. */
  readonly personName: string;
}

export interface InsertImageOptions extends CallOptions {
  /** The person, as `createPerson` answered it. */
  readonly personId: number;
}

export interface InsertImageByKeyIdOptions extends CallOptions {
  /** The perception. */
  readonly modelId: string | number;
  /** Your own id of the person, 1 to 200 characters; a new one creates a person of that name. */
  readonly keyId: string;
}

const path = '/predict/face';

/** The results of commands are results also where their `status` is 0 or below: look at it. */
export function createFaces(send: Send) {
  const calls = {
    /** Searches a perception for the faces of an image. */
    search: async (image: Image, options: FaceSearchOptions): Promise<WithFileId<FaceSearch>> => {
      const query = { model_id: options.modelId, person_id_filter: options.personIdFilter };
      return askWithFileId(send, upload(path, image, query), options);
    },

    /** The image that an `image_url` leads to, for an hour; always of this client's service. */
    readImage: async (imageUrl: string, options: CallOptions = {}): Promise<Blob> => {
      const token = imageUrl.split('/').at(-1) ?? '';
      const imagePath = `/face-images/${toPathPart('imageUrl', token)}`;
      return ask(send, { method: 'GET', path: imagePath, wants: 'image' }, options);
    },

    /** Adds a person to a perception. */
    createPerson: async (options: CreatePersonOptions): Promise<CreatedPerson> => {
      const query = { command: 'create_person', person_name: options.personName, model_id: options.modelId };
      return ask(send, { method: 'POST', path, query, creates: true }, options);
    },

    /** Adds a face image to a person. */
    insertImage: async (image: Image, options: InsertImageOptions): Promise<InsertedImage> => {
      const query = { command: 'insert_person_image', person_id_filter: options.personId };
      return ask(send, { ...upload(path, image, query), creates: true }, options);
    },

    /** Adds a face image to the person of your own id. */
    insertImageByKeyId: async (image: Image, options: InsertImageByKeyIdOptions): Promise<InsertedImage> => {
      const query = {
        command: 'insert_person_image_key_id',
        key_id: options.keyId,
        model_id: options.modelId,
      };
      return ask(send, { ...upload(path, image, query), creates: true }, options);
    },
  };
  return checked('faces', calls, {
    search: [1, { modelId: 'needed', personIdFilter: 'optional' }],
    createPerson: [0, { modelId: 'needed', personName: 'needed' }],
    insertImage: [1, { personId: 'needed' }],
    insertImageByKeyId: [1, { modelId: 'needed', keyId: 'needed' }],
  });
}
