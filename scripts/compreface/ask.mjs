import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 60_000;
const maxBytes = 64 * 1024 * 1024;
const attempts = 4;
const facesOfPage = 200;

/**
 * A CompreFace by its REST API, with the key of a recognition service (its docs, "Rest API description"). Every call throws
 * an Error that says what to fix; what may pass by itself is tried again.
 */
export function createCompreFace({ address, key }) {
  const base = address.replace(/\/+$/, '');

  const ask = async (path) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(path);
      } catch (error) {
        if (error instanceof Refused || attempt === attempts) throw error;
        await sleep(500 * 2 ** attempt);
      }
    }
  };

  const askOnce = async (path) => {
    // A redirect is not followed: the key would go with it.
    const answer = await fetch(`${base}/api/v1/recognition/${path}`, {
      headers: { 'x-api-key': key },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error) => {
      throw new Error(`${base} cannot be asked: ${error.cause?.message ?? error.message}`);
    });
    if (answer.ok) return readBody(answer);
    await answer.body?.cancel();
    const said = `${base} answered ${answer.status}`;
    if (answer.status >= 500) throw new Error(said);
    const isKey = [400, 401, 403].includes(answer.status);
    throw new Refused(
      isKey
        ? `${said}: is COMPREFACE_KEY the key of its recognition service?`
        : `${said}: is it a CompreFace?`,
    );
  };

  const askJson = async (path) => {
    const body = await ask(path);
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw new Refused(`${base} answered something else than JSON: is it a CompreFace?`);
    }
  };

  return {
    /** The names of all subjects. */
    async listSubjects() {
      const { subjects } = await askJson('subjects/');
      if (!Array.isArray(subjects)) throw new Refused(`${base} returned no subjects: is it a CompreFace?`);
      return subjects.map(String);
    },

    /** Every example: `{ imageId, subject }`. */
    async *listFaces() {
      for (let page = 0, pages = 1; page < pages; page++) {
        const { faces, total_pages: total } = await askJson(`faces?page=${page}&size=${facesOfPage}`);
        if (!Array.isArray(faces)) throw new Refused(`${base} returned no faces: is it a CompreFace?`);
        for (const { image_id: imageId, subject } of faces) {
          // It becomes the name of a file.
          if (!/^[\w-]{1,64}$/.test(imageId)) throw new Refused(`${base} returned an invalid image id`);
          yield { imageId: String(imageId), subject: String(subject) };
        }
        pages = Number(total) || 0;
      }
    },

    /** Its bytes; none when CompreFace did not keep the image. */
    readImage: (imageId) => ask(`faces/${imageId}/img`),
  };
}

/** What another attempt would not change. */
class Refused extends Error {}

async function readBody(answer) {
  const pieces = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    length += piece.length;
    if (length > maxBytes) throw new Refused(`an answer is larger than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
