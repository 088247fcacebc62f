import { Type } from 'typebox';
import { followRequest } from '../../http/follow-request.js';
import { exactly } from '../fields.js';
import { type ApiDeps, type ApiScope, callerOf } from '../scope.js';
import { Finding } from './enrolment.js';
import { FaceImage, toFaceImage } from './face-image.js';
import { IdParams } from './fields.js';

export const Described = Type.Object(
  {
    outcome: Type.Enum(['described', 'no-face'], {
      description: 'no-face: the embedder finds no face in the picture, and nothing was changed',
    }),
    image: FaceImage,
    findings: Type.Array(Finding, { description: 'what is wrong with the picture, the worst first' }),
  },
  { description: 'What became of the image' },
);

/** Describing one image anew. */
export function addDescribeImageRoute(
  app: ApiScope,
  deps: Pick<ApiDeps, 'faces' | 'describing' | 'settings' | 'givenUp'>,
): void {
  const { faces, describing, settings, givenUp } = deps;
  app.post(
    '/images/:id/describe',
    {
      schema: {
        tags: ['images'],
        operationId: 'describeImage',
        summary: 'Looks at the picture of an image anew, and describes its face by the perception’s embedder',
        params: IdParams,
        querystring: exactly({}),
        response: { 200: Described },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      const life = followRequest(reply.raw, settings.requestTimeoutMs, givenUp);
      try {
        const described = await describing.again(accountId, id, life.signal);
        const findings = 'findings' in described ? described.findings.map((finding) => ({ ...finding })) : [];
        const image = toFaceImage(await faces.images.read(accountId, id));
        return { outcome: described.outcome, image, findings };
      } finally {
        life.end();
      }
    },
  );
}
