import { imageMediaType } from '@lynceus/engine';
import type { StoredFaceImage } from '../../faces/face-images.js';
import type { CompatAnswer, CompatDeps, CompatHandler } from '../common/compat-route.js';
import { ignoreGone } from '../common/ignore-gone.js';
import { type ComprefaceCall, openCall, readSmallJson } from './call.js';
import { Refusal } from './errors.js';
import { readFaceId, toFaceId } from './face-id.js';
import { findSubject, removeEverybody } from './subjects.js';

/** `GET /recognition/faces`: the oldest first, so that no page shifts while images are added. */
export function answerFaces({ faces, ...deps }: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall({ faces, ...deps }, request, signal);
    const { accountId, perception, asked } = call;
    const { page, size, subject } = asked;
    const person = subject === undefined ? undefined : await findSubject(faces, call, subject);
    const wanted = { perceptionId: perception.id, personId: person?.id };
    const isNobody = person === null;
    const total = isNobody ? 0 : await faces.images.count(accountId, perception.id, person?.id);
    const images =
      page * size >= total
        ? []
        : await faces.images.oldest(accountId, wanted, { skip: page * size, limit: size });
    const people = await faces.people.named(accountId, [...new Set(images.map(({ personId }) => personId))]);
    return {
      body: {
        faces: images.flatMap(({ id, personId }) => {
          const name = people.get(personId)?.name;
          return name === undefined ? [] : [{ image_id: idOf(call, id), subject: name }];
        }),
        page_number: page,
        page_size: size,
        total_pages: Math.ceil(total / size),
        total_elements: total,
      },
    };
  };
}

/** `DELETE /recognition/faces`: as CompreFace does, the subject goes with its images; without one, everybody. */
export function answerDeleteFaces(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const { subject } = call.asked;
    if (subject === undefined) return { body: { deleted: (await removeEverybody(deps, call)).images } };
    const person = await findSubject(deps.faces, call, subject);
    if (person === null) return { body: { deleted: 0 } };
    const removed = await deps.faces.deletion.removePerson(call.accountId, person.id).catch(ignoreGone);
    return { body: { deleted: removed?.images ?? 0 } };
  };
}

/** `DELETE /recognition/faces/{id}`. */
export function answerDeleteFace(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const image = await findImage(deps, call, request.params['id']);
    const [deleted] = await removeImages(deps, call, [image]);
    return { body: deleted };
  };
}

/** Of one request. */
const maxIds = 5000;

/** `POST /recognition/faces/delete`: those of the ids that there are. */
export function answerDeleteSome(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const ids = await readSmallJson(deps, request, call);
    if (!Array.isArray(ids) || ids.length > maxIds) {
      throw new Refusal('badValue', `the body must be a list of ${maxIds} ids at most`);
    }
    const numbers = ids.flatMap((id: unknown) =>
      typeof id === 'string' ? (imageNumberOf(call, id) ?? []) : [],
    );
    return { body: await removeImages(deps, call, await findImages(deps, call, [...new Set(numbers)])) };
  };
}

/** `GET /recognition/faces/{id}/img`, and `GET /static/{key}/images/{id}` with the key of the path. */
export function answerImage(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal): Promise<CompatAnswer> => {
    const call = await openCall(deps, request, signal, request.params['key']);
    const image = await findImage(deps, call, request.params['id']);
    const content = await deps.faces.imageFiles.read(image.blobId);
    if (content === null) throw unknownImage();
    return { body: undefined, content: { ...content, mediaType: imageMediaType(image.imageKind) } };
  };
}

/** Of the collection of the key. Throws `unknownImage`. */
export async function findImage(
  deps: Pick<CompatDeps, 'faces'>,
  call: ComprefaceCall,
  id: string | undefined,
): Promise<StoredFaceImage> {
  const number = imageNumberOf(call, id ?? '');
  const [image] = number === null ? [] : await findImages(deps, call, [number]);
  if (image === undefined) throw unknownImage();
  return image;
}

/** The UUID of an image of the collection. */
export function idOf({ accountId, perception }: ComprefaceCall, imageId: number): string {
  return toFaceId({ accountId, perceptionId: perception.id, imageId });
}

function imageNumberOf({ accountId, perception }: ComprefaceCall, id: string): number | null {
  const found = readFaceId(id);
  const isOwn = found?.accountId === accountId && found.perceptionId === perception.id;
  return isOwn ? found.imageId : null;
}

const batchSize = 500;

async function findImages(
  { faces }: Pick<CompatDeps, 'faces'>,
  { accountId, perception }: ComprefaceCall,
  ids: readonly number[],
): Promise<readonly StoredFaceImage[]> {
  const found: StoredFaceImage[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    const images = await faces.images.found(accountId, ids.slice(at, at + batchSize));
    found.push(...[...images.values()].filter(({ perceptionId }) => perceptionId === perception.id));
  }
  return found;
}

async function removeImages(
  { faces }: CompatDeps,
  call: ComprefaceCall,
  images: readonly StoredFaceImage[],
): Promise<readonly { readonly image_id: string; readonly subject: string }[]> {
  const { accountId } = call;
  const people = await faces.people.named(accountId, [...new Set(images.map(({ personId }) => personId))]);
  await faces.deletion.removeImages(
    accountId,
    images.map(({ id }) => id),
  );
  return images.map(({ id, personId }) => ({
    image_id: idOf(call, id),
    subject: people.get(personId)?.name ?? '',
  }));
}

function unknownImage(): Refusal {
  return new Refusal('unknownImage', 'the face collection has no image of this id');
}
