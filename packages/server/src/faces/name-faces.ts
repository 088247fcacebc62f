import type { FaceName, FaceNaming, NameFaces } from '../recognition/name-faces.js';
import { isFormerOf } from './embedder-figures.js';
import type { Perception } from './perception.js';
import type { Perceptions } from './perceptions.js';
import type { FaceSearch } from './search.js';

interface FaceNamingDeps {
  readonly perceptions: Pick<Perceptions, 'naming' | 'find'>;
  readonly search: Pick<FaceSearch, 'match'>;
  /** The one that general recognition describes faces with, with its version. */
  readonly embedder: string;
  /** Called once for each perception that cannot name faces, since its vectors are another embedder's. */
  readonly onLeftOut: (accountId: number, perception: Perception) => void;
}

/** Names by the perceptions that an account marks for it, or by one: a face is the best match over all of them. */
export function createFaceNaming({ perceptions, search, embedder, onLeftOut }: FaceNamingDeps): FaceNaming {
  const reported = new Set<string>();
  const usable = (accountId: number, perception: Perception): boolean => {
    // The model is the same: until the images are embedded again, their vectors are compared under the curve of before.
    if (perception.embedder === embedder || isFormerOf(perception.embedder, embedder)) return true;
    const key = `${accountId}/${perception.id}`;
    if (!reported.has(key)) onLeftOut(accountId, perception);
    reported.add(key);
    return false;
  };
  const wanted = async (accountId: number, perceptionId: number | undefined) => {
    if (perceptionId === undefined) return perceptions.naming(accountId);
    const perception = await perceptions.find(accountId, String(perceptionId));
    return perception === null ? [] : [perception];
  };
  return async (accountId, perceptionId) => {
    const marked = (await wanted(accountId, perceptionId)).filter((perception) =>
      usable(accountId, perception),
    );
    if (marked.length === 0) return null;
    return async (faces) => {
      const named = await Promise.all(
        marked.map((perception) => namesIn(search, accountId, perception, faces)),
      );
      return faces.map((_, face) =>
        named.map((names) => names[face] ?? null).reduce<FaceName | null>(better, null),
      );
    };
  };
}

async function namesIn(
  search: Pick<FaceSearch, 'match'>,
  accountId: number,
  perception: Perception,
  faces: Parameters<NameFaces>[0],
): Promise<readonly (FaceName | null)[]> {
  const matches = await search.match(accountId, perception, faces);
  return matches.map(({ candidates: [best] }) =>
    best?.isMatch
      ? {
          name: best.person.name,
          personId: best.person.id,
          perceptionId: perception.id,
          similarity: best.similarity,
        }
      : null,
  );
}

function better(a: FaceName | null, b: FaceName | null): FaceName | null {
  if (a === null || b === null) return a ?? b;
  return b.similarity > a.similarity ? b : a;
}
