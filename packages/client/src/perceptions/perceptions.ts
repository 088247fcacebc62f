import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  CountedPerception,
  DeletionReceipt,
  EnrolmentProblem,
  FaceMatches,
  Perception,
} from '../api-types.js';
import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import { upload } from '../recognition/upload.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface PerceptionSettings {
  /** The similarity, 0 to 1, from which a face is taken for a person; 0.5 unless given. */
  readonly decisionSimilarity?: number | undefined;
  /** Whether a search distinguishes living faces from images of them. */
  readonly wantsLiveness?: boolean | undefined;
  /** Whether general recognition names faces by it. */
  readonly namesRecognition?: boolean | undefined;
  /** Problems for which an image is not added. */
  readonly refusedProblems?: readonly EnrolmentProblem[] | undefined;
}

export interface CreatePerceptionOptions extends CallOptions, PerceptionSettings {
  /** 1 to 200 characters. */
  readonly name: string;
}

export interface ChangePerceptionOptions extends CallOptions, PerceptionSettings {
  readonly name?: string | undefined;
}

export interface SearchPerceptionOptions extends CallOptions {
  /** The perception. */
  readonly modelId: number;
  /** This person alone; all unless given. */
  readonly personId?: number | undefined;
}

const path = '/api/perceptions';
export const perceptionPath = (modelId: number) => `${path}/${toPathPart('modelId', modelId)}`;

const settings = {
  decisionSimilarity: 'optional',
  wantsLiveness: 'optional',
  namesRecognition: 'optional',
  refusedProblems: 'optional array',
} as const;

/** Collections of people whose faces are known. */
export function createPerceptions(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Perception>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All perceptions, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Creates a perception; its `model_id` is what `faces.search` and the commands take. */
    create: async (options: CreatePerceptionOptions): Promise<Perception> =>
      ask(send, { method: 'POST', path, json: toFields(options), creates: true }, options),

    /** One perception, with how many people and images it has. */
    read: async (modelId: number, options: CallOptions = {}): Promise<CountedPerception> =>
      ask(send, { method: 'GET', path: perceptionPath(modelId) }, options),

    /** Renames a perception, or changes its settings. */
    change: async (modelId: number, options: ChangePerceptionOptions): Promise<Perception> =>
      ask(send, { method: 'PATCH', path: perceptionPath(modelId), json: toFields(options) }, options),

    /** Deletes a perception and all that is in it. */
    remove: async (modelId: number, options: CallOptions = {}): Promise<DeletionReceipt> =>
      ask(send, { method: 'DELETE', path: perceptionPath(modelId) }, options),

    /** Searches a perception for the faces of an image, with a verdict; it is not counted as a call and not kept. */
    search: async (image: Image, options: SearchPerceptionOptions): Promise<FaceMatches> => {
      const query = { person_id: options.personId };
      return ask(send, upload(`${perceptionPath(options.modelId)}/search`, image, query), options);
    },
  };
  return checked('perceptions', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { ...settings, name: 'needed' }],
    change: [1, { ...settings, name: 'optional' }],
    search: [1, { modelId: 'needed', personId: 'optional' }],
  });
}

function toFields(options: ChangePerceptionOptions) {
  return {
    name: options.name,
    decision_similarity: options.decisionSimilarity,
    wants_liveness: options.wantsLiveness,
    names_recognition: options.namesRecognition,
    refused_problems: options.refusedProblems,
  };
}
