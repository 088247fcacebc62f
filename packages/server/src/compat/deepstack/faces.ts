import { checkName } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import type { Perception } from '../../faces/perception.js';
import type { Person } from '../../faces/person.js';
import { countCall } from '../../recognition/call.js';
import { readParts } from '../../recognition/parts.js';
import type { CompatDeps, CompatHandler } from '../common/compat-route.js';
import { everybody } from '../common/everybody.js';
import { findCompatPerception } from '../common/find-perception.js';
import { ignoreGone } from '../common/ignore-gone.js';
import { refuse, succeed, toBox } from './answers.js';
import { type DeepstackCall, onlyImage, withDeepstackForm } from './call.js';

const moduleId = 'FaceProcessing';
const faces = readParts('faces');

/** `POST /v1/vision/face`: where faces are. */
export function answerFace(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async ({ access, form, minConfidence, startedMs }) => {
      const source = onlyImage(form);
      const found = await countCall(deps.ledger, access.caller, 'deepstack.face', signal, (call) =>
        deps.recognition.recogniseGeneral(call, (work) => work(source), { parts: faces, mode: 'basic' }),
      );
      reply.header('x-file-id', found.fileid);
      const predictions = found.faces
        .filter(({ score }) => score >= minConfidence)
        .map(({ score, box }) => ({ confidence: score, ...toBox(box, found.width, found.height) }));
      return succeed({ predictions, count: predictions.length, message: '' }, { startedMs, moduleId });
    });
}

/** `POST /v1/vision/face/recognize`: who they are; `confidence` is our similarity, of which one half decides. */
export function answerRecognize(deps: CompatDeps): CompatHandler {
  return (request, reply, signal) =>
    withDeepstackForm(deps, request, signal, async (asked) => {
      const { access, form, startedMs } = asked;
      const perception = await perceptionOf(deps, asked);
      if (perception === null) return notActivated('recognize');
      const source = onlyImage(form);
      const result = await countCall(
        deps.ledger,
        access.caller,
        'deepstack.face_recognize',
        signal,
        async (call) => {
          const found = await deps.faces.search.search(access.caller.accountId, perception, {
            source,
            signal,
          });
          reply.header('x-file-id', await deps.recordSearch(call, perception, found, source));
          return found;
        },
      );
      const predictions = result.faces.map(({ face, candidates: [best] }) => ({
        ...(best?.isMatch && best.similarity >= asked.minSimilarity
          ? { confidence: best.similarity, userid: userIdOf(best.person) }
          : { confidence: 0, userid: 'unknown' }),
        ...toBox(face.box, result.width, result.height),
      }));
      return succeed({ predictions, count: predictions.length, message: '' }, { startedMs, moduleId });
    });
}

/** `POST /v1/vision/face/register`: `userid` is the key id of the person, with as many images as the form has. */
export function answerRegister(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async (asked) => {
      const { access, form, startedMs } = asked;
      const { accountId } = access.caller;
      const perception = await perceptionOf(deps, asked);
      if (perception === null) return notActivated('register');
      const wanted = form.fields['userid']?.trim() ?? '';
      if (wanted === '') return refuse(400, 'userid not specified');
      const keyId = checkName('userid', wanted);
      onlyImage(form);
      const known = await deps.faces.people.findByKeyId(accountId, perception.id, keyId);
      let added = 0;
      let advice = 'Could not find any face';
      let unreadable: unknown;
      for (const { image } of form.files) {
        const { source } = image;
        const result = await countCall(
          deps.ledger,
          access.caller,
          'deepstack.face_register',
          signal,
          ({ reservation }) =>
            deps.faces.enrolment.add(
              accountId,
              perception,
              { keyId },
              { source, signal, acceptsDegraded: true },
              (statements) => deps.ledger.settle(reservation, statements),
            ),
        ).catch((error: unknown) => {
          // The others are registered all the same.
          if (!(error instanceof ServiceError) || error.code !== 'unsupported_image') throw error;
          unreadable ??= error;
          return null;
        });
        if (result?.outcome === 'added') added += 1;
        if (result?.outcome === 'refused') advice = result.findings.map((each) => each.advice).join('; ');
      }
      if (added === 0 && unreadable !== undefined) throw unreadable;
      if (added === 0) return refuse(400, advice);
      const message = known === null ? 'face added' : 'face updated';
      return succeed({ message }, { startedMs, moduleId });
    });
}

/** `POST /v1/vision/face/list`. */
export function answerFaceList(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async (asked) => {
      const perception = await perceptionOf(deps, asked);
      if (perception === null) return notActivated('list');
      const names: string[] = [];
      for await (const person of everybody(deps.faces.people, asked.access.caller, perception, signal)) {
        if (names.push(userIdOf(person)) >= mostListed) break;
      }
      return succeed({ faces: [...new Set(names.reverse())] }, { startedMs: asked.startedMs, moduleId });
    });
}
const mostListed = 10_000;

/** `POST /v1/vision/face/delete`: the person with all images, who is gone then also where there was none. */
export function answerFaceDelete(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async (asked) => {
      const perception = await perceptionOf(deps, asked);
      if (perception === null) return notActivated('delete');
      const userId = asked.form.fields['userid']?.trim() ?? '';
      if (userId === '') return refuse(400, 'userid not specified');
      const { accountId } = asked.access.caller;
      // No text in the database has a NUL, and none may be asked for. Other ids that are no names may have come by v1.
      const isStorable = !userId.includes('\0');
      const person = isStorable ? await findByUserId(deps, accountId, perception, userId) : null;
      // Another request may have deleted the person meanwhile.
      if (person !== null) await deps.faces.deletion.removePerson(accountId, person.id).catch(ignoreGone);
      return succeed({}, { startedMs: asked.startedMs, moduleId });
    });
}

/** `POST /v1/vision/face/match`: how alike the largest faces of two images are; one half decides. */
export function answerMatch(deps: CompatDeps): CompatHandler {
  return (request, _reply, signal) =>
    withDeepstackForm(deps, request, signal, async (asked) => {
      const { access, form, startedMs } = asked;
      const [first, second] = form.files.map(({ image }) => image.source);
      if (first === undefined || second === undefined)
        throw new ServiceError('no_file', 'send two images, as image1 and image2');
      const perception = await perceptionOf(deps, asked);
      const { accountId } = access.caller;
      return countCall(
        deps.ledger,
        access.caller,
        'deepstack.face_match',
        signal,
        async ({ reservation }) => {
          const compared = await deps.faces.compare(accountId, perception, { first, second, signal });
          await deps.ledger.settle(reservation, []);
          const [[a], [b]] = [compared.first.faces, compared.second.faces];
          if (a === undefined || b === undefined) return refuse(400, 'No face found in image');
          return succeed({ similarity: compared.similarity(a, b) }, { startedMs, moduleId });
        },
      );
    });
}

const perceptionOf = ({ faces: { perceptions } }: CompatDeps, { access }: DeepstackCall) =>
  findCompatPerception(perceptions, access);

/** By key id, or by name where a person was enrolled otherwise and has this name alone. */
async function findByUserId(
  { faces: { people } }: CompatDeps,
  accountId: number,
  { id }: Perception,
  userId: string,
): Promise<Person | null> {
  const byKey = await people.findByKeyId(accountId, id, userId);
  if (byKey !== null) return byKey;
  const [only, another] = (await people.withName(accountId, id, userId)).filter(
    ({ keyId }) => keyId === null,
  );
  return another === undefined ? (only ?? null) : null;
}

function userIdOf({ keyId, name }: Pick<Person, 'keyId' | 'name'>): string {
  return keyId ?? name;
}

function notActivated(what: string) {
  return refuse(403, `face/${what} endpoint not activated: give the key a perception`);
}
