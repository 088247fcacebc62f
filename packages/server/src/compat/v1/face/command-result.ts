import type { WireValue } from '../../json.js';

export type CommandPostType = 'create_person' | 'insert_person_image';

/** No person; what `person_id` holds where none was made. */
const noPerson = -1;

/**
 * The answer of a command that could not be carried out: a result with a code from the command's table, not an error.
 * @param status 0 or below.
 */
export function refuseCommand(postType: CommandPostType, status: number, description: string): WireValue {
  return answerCommand(postType, status, description, noPerson);
}

/** @param id of the person or image that was made */
export function acceptCommand(
  postType: CommandPostType,
  id: number,
  advice: readonly string[] = [],
): WireValue {
  return answerCommand(postType, id, ['success', ...advice].join('; '), id);
}

function answerCommand(
  postType: CommandPostType,
  status: number,
  description: string,
  personId: number,
): WireValue {
  return {
    status,
    status_description: description,
    post_type: postType,
    // Typed clients read it before they look at the status.
    ...(postType === 'create_person' ? { person_id: personId } : {}),
  };
}
