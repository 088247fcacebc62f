import { ServiceError } from '../../../core/service-error.js';
import type { DatasetImage } from '../dataset.js';

/** The labels of an image as they are now (RFC 9110, section 8.8.3). */
export function labelsEtag({ labelsRevision }: Pick<DatasetImage, 'labelsRevision'>): string {
  return `"${labelsRevision}"`;
}

const entityTag = /^(?:W\/)?"[^"]*"$/;
const ours = /^"(\d{1,15})"$/;

/**
 * The revisions of labels that an `If-Match` names (RFC 9110, section 13.1.1); undefined where any will do. A weak tag, or one
 * of something else, is none of them. Throws `wrong_parameters`.
 */
export function expectedRevisions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const tags = ifMatch.split(',').map((each) => each.trim());
  if (!tags.every((tag) => entityTag.test(tag))) {
    throw new ServiceError(
      'wrong_parameters',
      'If-Match must be the ETag of the image, in its quotes, several with commas between, or *',
    );
  }
  return tags.flatMap((tag) => ours.exec(tag)?.[1] ?? []).map(Number);
}
