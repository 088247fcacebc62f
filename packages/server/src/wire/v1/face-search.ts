import { byLikeness, type Candidate, type SearchedFace, type SearchResult } from '../../faces/search.js';
import { boxText } from '../coordinates.js';
import { Decimal, type WireValue } from '../json.js';

/** A probability of a living face from which it counts as one. */
const liveFrom = 0.5;
const maxSimilarFaces = 10;

/** A search as v1 answers it. `imageUrl` gives the address of a stored image. */
export function toFaceSearch(
  { faces, width, height }: SearchResult,
  personIdFilter: number,
  wantsLiveness: boolean,
  imageUrl: (imageId: number) => string,
): WireValue {
  const boxOf = ({ face }: SearchedFace) => boxText(face.box, width, height);
  const matched = faces.flatMap((face) => {
    const [best] = face.candidates;
    return best?.isMatch ? [{ face, best }] : [];
  });
  return {
    status: 'ok',
    person_id_filter: personIdFilter,
    faces_detected: matched.map(({ face, best }) => ({
      person_name: best.person.name,
      similarity: new Decimal(best.similarity),
      coordinates: boxOf(face),
      image_url: imageUrl(best.image.id),
      person_id: best.person.id,
      key_id: keyIdOf(best),
    })),
    face_recog_hit: matched.length > 0,
    face_count: faces.length,
    post_type: 'face_search',
    faces: faces.map((face) => toFace(face, boxOf(face), wantsLiveness)),
    similar_faces: similarPeople(faces).map((candidate, index) => ({
      person_name: candidate.person.name,
      similarity: new Decimal(candidate.similarity),
      coordinates: storedBox(candidate),
      image_url: imageUrl(candidate.image.id),
      person_id: candidate.person.id,
      key_id: keyIdOf(candidate),
      order: index + 1,
    })),
  };
}

function toFace({ face, candidates }: SearchedFace, box: string, wantsLiveness: boolean): WireValue {
  const [best] = candidates;
  const known = best?.isMatch ? best : undefined;
  const live = wantsLiveness ? face.liveness : undefined;
  return {
    person_name: known?.person.name ?? 'unknown',
    similarity: new Decimal(best?.similarity ?? 0),
    face_live: live === undefined ? null : live >= liveFrom,
    coordinates: box,
    person_id: known?.person.id ?? -1,
    key_id: known ? keyIdOf(known) : null,
    face_live_status_description:
      live === undefined
        ? null
        : `${live >= liveFrom ? 'looks like a living face' : 'looks like an image of a face'} (${live.toFixed(2)}); advisory`,
  };
}

/**
 * Of images that were added under one, the key id that the person has now: the image may have been moved to another person, or
 * the person may have been given another.
 */
function keyIdOf({ image, person }: Candidate): string | null {
  return image.keyId === null ? null : person.keyId;
}

/** Candidates over all faces of the image, best first, one a person. */
function similarPeople(faces: readonly SearchedFace[]): readonly Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of faces.flatMap(({ candidates }) => candidates)) {
    const known = best.get(candidate.person.id);
    if (known === undefined || byLikeness(candidate, known) < 0) best.set(candidate.person.id, candidate);
  }
  return [...best.values()].sort(byLikeness).slice(0, maxSimilarFaces);
}

/** In the stored image, not in the image that was asked with. */
function storedBox({ image: { face } }: Candidate): string {
  return boxText(face.box, face.width, face.height);
}
