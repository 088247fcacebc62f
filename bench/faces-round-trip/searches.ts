import { createHash } from 'node:crypto';
import { request } from 'undici';
import { concurrently } from '../concurrently.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { type At, imageOf, withVisitor } from './enrol.js';
import type { Subject } from './subjects.js';

/** What a search by v1 answered, without what must differ between two installations. */
export interface Answer {
  /** As it was written, similarities to their last digit; ids of people and addresses of images set aside. */
  readonly text: string;
  /** Of the image behind `image_url` of the most similar face; null without one. */
  readonly imageSha256: string | null;
  readonly isHit: boolean;
}

/** Images that were never enrolled, of subjects in turn. */
const firstNumber = 10_000_000;
const atOnce = 2;

export async function askSearches(
  { service: { url, key }, modelId }: At,
  subjects: readonly Subject[],
  searches: number,
): Promise<readonly Answer[]> {
  const numbers = Array.from({ length: searches }, (_, number) => number);
  return concurrently(numbers, atOnce, (number) =>
    withVisitor(url, async (visitor) => {
      const image = await imageOf(subjects, (number * 7) % subjects.length, firstNumber + number);
      const path = `/predict/face?model_id=${modelId}&apikey=${key}`;
      const { outcome, text } = await visitor.ask({ method: 'POST', path, ...formOf(image) });
      if (outcome !== '200') throw new Error(`a search was answered ${outcome} ${text}`);
      const { similar_faces: similar, face_recog_hit: hit } = readObject(text);
      const [best] = Array.isArray(similar) ? similar.map(readObject) : [];
      return {
        text: withoutIds(text),
        imageSha256: best === undefined ? null : await hashOfImage(url, String(best['image_url'])),
        isHit: hit === true,
      };
    }),
  );
}

/** The `-1` of an unknown person stays. */
function withoutIds(text: string): string {
  return text
    .replace(/"person_id": \d+/g, '"person_id": 0')
    .replace(/"image_url": "[^"]*"/g, '"image_url": ""');
}

async function hashOfImage(url: string, imageUrl: string): Promise<string> {
  const { pathname } = new URL(imageUrl);
  const { statusCode, body } = await request(`${url}${pathname}`);
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`image_url is answered ${statusCode}`);
  return createHash('sha256').update(bytes).digest('hex');
}
