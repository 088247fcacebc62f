import { toName, toNewName } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import type { Parameter } from './upload-call.js';

/** What `/predict/face` is asked for. An id or name that is missing or malformed is null: its command answers for it. */
export type FaceRequest =
  | { readonly kind: 'search'; readonly modelId: string; readonly personId: number | null }
  | { readonly kind: 'create_person'; readonly modelId: string | null; readonly personName: string | null }
  | { readonly kind: 'insert_person_image'; readonly personId: number | null }
  | {
      readonly kind: 'insert_person_image_key_id';
      readonly modelId: string | null;
      readonly keyId: string | null;
    };

const commands = ['create_person', 'insert_person_image', 'insert_person_image_key_id'];

/**
 * Reads the command and its arguments; without a command it is a search. Throws `wrong_parameters` for an unknown
 * command, and for a search whose arguments are missing or malformed.
 */
export function readFaceRequest(parameter: Parameter): FaceRequest {
  const command = parameter('command');
  const modelId = parameter('model_id')?.trim() || null;
  switch (command) {
    case undefined:
      return readSearch(modelId, parameter('person_id_filter'));
    case 'create_person':
      return { kind: command, modelId, personName: toNewName(parameter('person_name') ?? '') };
    case 'insert_person_image':
      return { kind: command, personId: toPersonId(parameter('person_id_filter')) };
    case 'insert_person_image_key_id':
      return { kind: command, modelId, keyId: toName(parameter('key_id') ?? '') };
    default:
      throw new ServiceError(
        'wrong_parameters',
        `command must be one of ${commands.join(', ')}; without it, the face is searched for`,
      );
  }
}

function readSearch(modelId: string | null, filter: string | undefined): FaceRequest {
  if (modelId === null) {
    throw new ServiceError('wrong_parameters', 'model_id is missing: the id of the perception to search');
  }
  const personId = toPersonId(filter);
  if (personId === null && filter !== undefined && filter.trim() !== '-1') {
    throw new ServiceError('wrong_parameters', 'person_id_filter must be the id of a person, or -1 for all');
  }
  return { kind: 'search', modelId, personId };
}

/** Null for what is no id of a person, -1 among it. */
function toPersonId(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  const id = /^[0-9]{1,16}$/.test(trimmed) ? Number(trimmed) : 0;
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}
