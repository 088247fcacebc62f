import { type Static, Type } from 'typebox';
import { checkName } from '../../accounts/names.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { ImageBody, type ImageRequest, ImageUrl, withImage } from '../../http/api/upload.js';
import type { EnrolmentResult, Enrolled as WhoIsEnrolled } from '../enrolment.js';
import type { FaceImage } from '../face-image.js';
import type { Perception } from '../perception.js';
import type { FaceDeps } from './deps.js';
import { FaceImage as Image, toFaceImage } from './face-image.js';
import { IdParams, KeyIdInput, Problem } from './fields.js';
import { findPerception } from './find-perception.js';

export const Finding = Type.Object({
  problem: Problem,
  advice: Type.String({ description: 'what to fix, in words that may change' }),
});
export const Enrolled = Type.Object(
  {
    outcome: Type.Enum(['added', 'refused', 'no-face'], {
      description:
        'refused: the perception takes no image with one of these problems, or accept_problems was not given; nothing is kept',
    }),
    image: Type.Union([Image, Type.Null()], { description: 'what was added' }),
    findings: Type.Array(Finding, { description: 'what is wrong with the image, the worst first' }),
  },
  { title: 'EnrolledImage', description: 'What became of the image; 201 when it was added' },
);
const AcceptProblems = Type.Optional(
  Type.Boolean({
    description:
      'true or false: whether a face that is blurred, covered, or has uncertain eyes, nose and mouth is added, which is refused else, since it never makes a match',
  }),
);
const responses = { 200: Enrolled, 201: Enrolled };
const tags = ['images'];

/** Adding images to people, each with what is wrong with it. */
export function addEnrolmentRoutes(app: ApiScope, deps: FaceDeps): void {
  const { faces } = deps;
  const { people, perceptions, images, enrolment } = faces;

  const enrol = async (
    { request, reply, url }: ImageRequest,
    perception: Perception,
    enrolled: WhoIsEnrolled,
    acceptsDegraded = false,
  ) => {
    const { accountId } = callerOf(request);
    const result = await withImage(deps, { request, reply, url }, (source, signal) =>
      enrolment.add(accountId, perception, enrolled, { source, signal, acceptsDegraded }),
    );
    const image = result.outcome === 'added' ? await images.read(accountId, result.imageId) : null;
    return reply.code(image === null ? 200 : 201).send(toEnrolled(result, image));
  };

  app.post('/people/:id/images', {
    config: { right: 'change', audit: ['face_images.create', 'face_image'] },
    schema: {
      tags,
      operationId: 'addImage',
      summary: 'Adds the largest face of an image to a person, and reports what is wrong with it',
      params: IdParams,
      querystring: exactly({ url: ImageUrl, accept_problems: AcceptProblems }),
      body: ImageBody,
      response: responses,
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const person = await people.read(accountId, request.params.id);
      const perception = await perceptions.read(accountId, person.perceptionId);
      const { url, accept_problems: accepts } = request.query;
      return enrol({ request, reply, url }, perception, { person }, accepts);
    },
  });

  app.post('/perceptions/:id/images', {
    config: { right: 'change', audit: ['face_images.create', 'face_image'] },
    schema: {
      tags,
      operationId: 'addImageByKeyId',
      summary: 'The same by your own id of the person, who is made when there is none yet',
      params: IdParams,
      querystring: exactly({ key_id: KeyIdInput, url: ImageUrl, accept_problems: AcceptProblems }),
      body: ImageBody,
      response: responses,
    },
    async handler(request, reply) {
      const perception = await findPerception(faces, callerOf(request).accountId, request.params.id);
      const keyId = checkName('key_id', request.query.key_id);
      const { url, accept_problems: accepts } = request.query;
      return enrol({ request, reply, url }, perception, { keyId }, accepts);
    },
  });
}

function toEnrolled(result: EnrolmentResult, image: FaceImage | null): Static<typeof Enrolled> {
  return {
    outcome: result.outcome,
    image: image && toFaceImage(image),
    findings: 'findings' in result ? result.findings.map((finding) => ({ ...finding })) : [],
  };
}
