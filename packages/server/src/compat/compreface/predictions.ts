import type { SearchedFace } from '../../faces/search.js';
import { countCall } from '../../recognition/call.js';
import { readParts } from '../../recognition/parts.js';
import type { CompatDeps, CompatHandler } from '../common/compat-route.js';
import { chooseFaces, noFace, round, toFace, toVersions } from './answers.js';
import { type ComprefaceCall, withImages } from './call.js';
import { findImage } from './images.js';

const facesOnly = readParts('faces');
const tookMs = ({ startedMs }: ComprefaceCall) => performance.now() - startedMs;

/** `POST /recognition/recognize`: the subjects that each face is most like, the nearest first, however unlike. */
export function answerRecognize(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withImages(deps, request, signal, ['file'], async (call, source) => {
      const { access, accountId, perception, asked } = call;
      const found = await countCall(
        deps.ledger,
        access.caller,
        'compreface.recognize',
        signal,
        async (counted) => {
          const isCropped = !asked.detectsFaces;
          const result = await deps.faces.search.search(accountId, perception, { source, isCropped, signal });
          reply.header('x-file-id', await deps.recordSearch(counted, perception, result, source));
          return result;
        },
      );
      const faces = asked.detectsFaces ? found.faces : found.faces.map((each) => toWholeImage(each, found));
      const result = chooseFaces(faces, ({ face }) => face.score, asked, access.settings).map((searched) => ({
        ...toFace(searched.face, found, asked, tookMs(call)),
        subjects: toSubjects(searched).slice(0, asked.predictionCount),
      }));
      return { body: { result, ...toVersions(asked, perception) } };
    });
}

/** Clients that detect no faces get the box of the image that they cut out, without a threshold in its way. */
function toWholeImage(
  searched: SearchedFace,
  { width, height }: { width: number; height: number },
): SearchedFace {
  const box = { xMin: 0, yMin: 0, xMax: width, yMax: height };
  return { ...searched, face: { ...searched.face, box, score: 1 } };
}

/** Of people with the same name the nearest: a subject is its name. */
function toSubjects({ candidates }: SearchedFace) {
  const nearest = new Map<string, number>();
  for (const { person, similarity } of candidates) {
    if (!nearest.has(person.name)) nearest.set(person.name, similarity);
  }
  return [...nearest].map(([subject, similarity]) => ({ subject, similarity: round(similarity) }));
}

/** `POST /detection/detect`: where faces are. */
export function answerDetect(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withImages(deps, request, signal, ['file'], async (call, source) => {
      const { access, perception, asked } = call;
      const found = await countCall(deps.ledger, access.caller, 'compreface.detect', signal, (counted) =>
        deps.recognition.recogniseGeneral(counted, (work) => work(source), {
          parts: facesOnly,
          mode: 'basic',
        }),
      );
      reply.header('x-file-id', found.fileid);
      const result = chooseFaces(found.faces, ({ score }) => score, asked, access.settings).map((face) =>
        toFace(face, found, asked, tookMs(call)),
      );
      return { body: { result, ...toVersions(asked, perception) } };
    });
}

/** `POST /verification/verify`: how alike the largest face of one image and those of another are. */
export function answerVerify(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withImages(deps, request, signal, ['source_image', 'target_image'], async (call, first, second) => {
      const { access, accountId, perception, asked } = call;
      const images = { first, second: second ?? first, signal };
      const compared = await countCall(
        deps.ledger,
        access.caller,
        'compreface.verify',
        signal,
        async ({ reservation }) => {
          const seen = await deps.faces.compare(accountId, perception, images);
          await deps.ledger.settle(reservation, []);
          return seen;
        },
      );
      const ofSource = { ...asked, limit: 1 };
      const [source] = chooseFaces(compared.first.faces, ({ score }) => score, ofSource, access.settings);
      if (source === undefined) throw noFace();
      const matches = chooseFaces(compared.second.faces, ({ score }) => score, asked, access.settings);
      const result = {
        source_image_face: toFace(source, compared.first, asked, tookMs(call)),
        face_matches: matches.map((face) => ({
          ...toFace(face, compared.second, asked, tookMs(call)),
          similarity: round(compared.similarity(source, face)),
        })),
        ...toVersions(asked, perception),
      };
      return { body: { result: [result] } };
    });
}

/** `POST /recognition/faces/{id}/verify`: how alike the faces of an image and a stored one are. */
export function answerVerifyStored(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withImages(deps, request, signal, ['file'], async (call, source) => {
      const { access, accountId, perception, asked } = call;
      const image = await findImage(deps, call, request.params['id']);
      const compared = await countCall(
        deps.ledger,
        access.caller,
        'compreface.verify',
        signal,
        async ({ reservation }) => {
          const seen = await deps.faces.compareWithImage(accountId, perception, image, {
            source,
            signal,
          });
          await deps.ledger.settle(reservation, []);
          return seen;
        },
      );
      const faces = chooseFaces(compared.seen.faces, ({ score }) => score, asked, access.settings);
      const result = faces.map((face) => ({
        ...toFace(face, compared.seen, asked, tookMs(call)),
        similarity: round(compared.similarity(face)),
      }));
      return { body: { result, ...toVersions(asked, perception) } };
    });
}
