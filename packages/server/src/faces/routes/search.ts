import { type Static, Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { ImageBody, ImageUrl, withImage } from '../../http/api/upload.js';
import type { SearchedFace, SearchResult } from '../search.js';
import type { FaceDeps } from './deps.js';
import { Box, IdParams, Quality, toBox, toQuality } from './fields.js';
import { findPerception } from './find-perception.js';

const Candidate = Type.Object(
  {
    person_id: Id,
    name: Type.String(),
    key_id: Type.Union([Type.String(), Type.Null()], { description: 'of the person' }),
    image_id: Type.Integer({ description: 'the most similar image of the person' }),
    similarity: Type.Number({ description: '0 to 1, calibrated' }),
    is_match: Type.Boolean({ description: 'whether it reaches the decision point of the perception' }),
    is_degraded: Type.Boolean({
      description:
        'whether the face or the image is blurred, covered, or has uncertain eyes, nose and mouth, or both are doubtful: such faces resemble each other, and the similarity ends below the decision point',
    }),
  },
  { title: 'FaceCandidate' },
);
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const Face = Type.Object(
  {
    box: Box,
    score: Type.Number({ description: 'of the detector, 0 to 1' }),
    quality: Quality,
    liveness: NumberOrNull('probability of a living face; null unless the perception wants it'),
    verdict: Type.Enum(['match', 'unsure', 'unknown']),
    margin: NumberOrNull('similarity of the best candidate less that of the second; null without candidates'),
    false_match_rate: NumberOrNull(
      'how likely a stranger would be this similar to one of the people searched; null without candidates',
    ),
    candidates: Type.Array(Candidate, {
      description: 'best first, one a person, at most ten, below the decision point too',
    }),
  },
  { title: 'JudgedFace' },
);
export const FaceMatches = Type.Object(
  {
    image: Type.Object({ kind: Type.String(), width: Type.Integer(), height: Type.Integer() }),
    faces: Type.Array(Face, { description: 'the largest first' }),
  },
  { title: 'FaceMatches', description: 'The faces of the image, and who they may be' },
);

/** Whose faces these are, with how sure that is. Nothing of the image is kept. */
export function addSearchRoutes(app: ApiScope, deps: FaceDeps): void {
  const { faces } = deps;
  const { people, search } = faces;

  app.post('/perceptions/:id/search', {
    config: { right: 'read', audit: null },
    schema: {
      tags: ['perceptions'],
      operationId: 'searchPerception',
      summary: 'Searches a perception for the faces of an image, and judges how sure the best is',
      params: IdParams,
      querystring: exactly({
        person_id: Type.Optional(Id),
        url: ImageUrl,
      }),
      body: ImageBody,
      response: { 200: FaceMatches },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { person_id: personId, url } = request.query;
      const perception = await findPerception(faces, accountId, request.params.id);
      if (personId !== undefined) {
        const person = await people.find(accountId, personId);
        if (person?.perceptionId !== perception.id) {
          throw new ServiceError('not_found', `person ${personId} is not in perception ${perception.id}`);
        }
      }
      const result = await withImage(deps, { request, reply, url }, (source, signal) =>
        search.search(accountId, perception, { source, personId, signal }),
      );
      return toMatches(result);
    },
  });
}

function toMatches({ kind, width, height, faces }: SearchResult): Static<typeof FaceMatches> {
  return { image: { kind, width, height }, faces: faces.map(toFace) };
}

function toFace({ face, candidates, judgement }: SearchedFace): Static<typeof Face> {
  return {
    box: toBox(face.box),
    score: face.score,
    quality: toQuality(face.quality),
    liveness: face.liveness ?? null,
    verdict: judgement?.verdict ?? 'unknown',
    margin: judgement?.margin ?? null,
    false_match_rate: judgement?.falseMatchRate ?? null,
    candidates: candidates.map(({ person, image, likeness, similarity, isMatch }) => ({
      person_id: person.id,
      name: person.name,
      key_id: person.keyId,
      image_id: image.id,
      similarity,
      is_match: isMatch,
      is_degraded: likeness.isDegraded,
    })),
  };
}
