import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import type { ApiScope } from '../../http/api/scope.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { FaceDeps } from './deps.js';
import { Finding } from './enrolment.js';
import { FaceImage, toFaceImage } from './face-image.js';
import { IdParams } from './fields.js';

export const ReEmbeddedImage = Type.Object(
  {
    outcome: Type.Enum(['embedded', 'no-face'], {
      description: 'no-face: the embedder finds no face in the image, and nothing was changed',
    }),
    image: FaceImage,
    findings: Type.Array(Finding, { description: 'what is wrong with the image, the worst first' }),
  },
  { title: 'ReEmbeddedImage', description: 'What became of the image' },
);

/** Re-embedding of one image. */
export function addReEmbedImageRoute(app: ApiScope, deps: FaceDeps): void {
  const { faces, reEmbedding } = deps;
  app.post('/face-images/:id/re-embed', {
    config: { right: 'change', audit: ['face_images.re_embed', 'face_image'] },
    schema: {
      tags: ['images'],
      operationId: 'reEmbedImage',
      summary: 'Looks at an image again, and computes the vector of its face with the perception’s embedder',
      params: IdParams,
      response: { 200: ReEmbeddedImage },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      const signal = createRequestSignal(reply, deps);
      const embedded = await reEmbedding.again(accountId, id, signal);
      const findings = 'findings' in embedded ? embedded.findings.map((finding) => ({ ...finding })) : [];
      const image = toFaceImage(await faces.images.read(accountId, id));
      return { outcome: embedded.outcome, image, findings };
    },
  });
}
