import { checkName } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import type { EnrolmentResult } from '../../faces/enrolment.js';
import { facesThatCount } from '../../faces/faces-that-count.js';
import { followEmbedder } from '../../faces/follow-embedder.js';
import type { Person } from '../../faces/person.js';
import { countCall } from '../../recognition/call.js';
import type { CompatDeps, CompatHandler } from '../common/compat-route.js';
import { noFace } from './answers.js';
import { type ComprefaceCall, withImages } from './call.js';
import { Refusal } from './errors.js';
import { idOf } from './images.js';
import { findSubject } from './subjects.js';

/** `POST /recognition/faces?subject=`: an image with one face; a subject that there is not is created. */
export function answerEnrol(deps: CompatDeps): CompatHandler {
  const { faces, ledger } = deps;
  return (request, _reply, signal) =>
    withImages(deps, request, signal, ['file'], async (call, source) => {
      const { access, asked } = call;
      if (asked.subject === undefined) throw new Refusal('missingParameter', 'subject must be given');
      const subject = checkName('subject', asked.subject);
      const least = Math.max(asked.minScore, access.settings.minConfidence ?? 0);
      const result = await countCall(
        ledger,
        access.caller,
        'compreface.enrol',
        signal,
        async ({ reservation }) => {
          const add = followEmbedder(
            async (
              accountId,
              perception,
            ): Promise<EnrolmentResult | { readonly outcome: 'several-faces' }> => {
              const looked = await faces.enrolment.look(accountId, perception, { source, signal });
              const seen = { ...looked, faces: looked.faces.filter(({ score }) => score >= least) };
              if (facesThatCount(seen.faces).length > 1) {
                // The image was worked on, so it counts.
                await ledger.settle(reservation, []);
                return { outcome: 'several-faces' };
              }
              const person = await findSubject(faces, { accountId, perception }, subject);
              const enrolled = person === null ? { newName: subject } : { person };
              return faces.enrolment.keep(
                accountId,
                perception,
                enrolled,
                { source, seen, acceptsDegraded: true },
                (statements) => ledger.settle(reservation, statements),
              );
            },
            faces.perceptions,
          );
          return add(call.accountId, call.perception);
        },
      );
      switch (result.outcome) {
        case 'several-faces':
          throw new Refusal('severalFaces', 'Found more than one face in the given image');
        case 'no-face':
          throw noFace();
        case 'refused':
          throw new ServiceError('bad_request', result.findings.map(({ advice }) => advice).join('; '));
        case 'added':
          await joinFirst(deps, call, result.person);
          return { status: 201, body: { image_id: idOf(call, result.imageId), subject } };
      }
    });
}

/**
 * Programs add several images of a new subject at once, and each finds none before. A later one finds the first when it is
 * there itself, whatever replica added it, since ids are in the order of commits.
 */
async function joinFirst({ faces }: CompatDeps, call: ComprefaceCall, person: Person): Promise<void> {
  const first = await findSubject(faces, call, person.name);
  if (first === null || first.id >= person.id) return;
  await faces.regrouping.merge(call.accountId, person.id, first.id).catch((error: unknown) => {
    // The first was deleted or renamed meanwhile: then this one is the subject.
    if (!(error instanceof ServiceError) || error.entry.http >= 500) throw error;
  });
}
