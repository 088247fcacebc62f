import { api } from '../load/api-kinds.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { createVisitor, type Sent, type Visitor } from '../load/visitor.js';
import type { Service } from '../service.js';
import type { Subject } from './subjects.js';
import { vary } from './vary.js';

/** A service with the perception that is meant. */
export interface At {
  readonly service: Pick<Service, 'url' | 'key'>;
  readonly modelId: number;
}

/** Requests at once: the service looks at one image a core. */
const atOnce = 4;
/** For each image that is added. */
const maxTries = 4;

export async function makePerception({ url, key }: At['service']): Promise<number> {
  const fields = JSON.stringify({ name: 'Round trip ☕', decision_similarity: 0.45 });
  return withVisitor(url, async (visitor) => {
    const { model_id: modelId } = await askFor(visitor, api(key, 'POST', '/api/perceptions', fields), '201');
    return Number(modelId);
  });
}

/**
 * Adds so many images of the subjects in turn, by v1: every second subject under a key id, the others by person. Answers
 * how many more showed no face and were not added.
 */
export async function enrol(
  { service, modelId }: At,
  subjects: readonly Subject[],
  images: number,
): Promise<number> {
  const { url, key } = service;
  return withVisitor(url, async (first) => {
    const commands: string[] = [];
    for (const [at, { name }] of subjects.entries()) {
      const isByKey = at % 2 === 0;
      const named = encodeURIComponent(name);
      const make = `/predict/face?command=create_person&person_name=${named}&model_id=${modelId}&apikey=${key}`;
      commands.push(
        isByKey
          ? `insert_person_image_key_id&key_id=${named}&model_id=${modelId}`
          : `insert_person_image&person_id_filter=${(await askFor(first, { method: 'POST', path: make }))['person_id']}`,
      );
    }
    let [added, underWay, number] = [0, 0, 0];
    const runWorker = async (visitor: Visitor) => {
      while (added + underWay < images) {
        if (number > maxTries * images) throw new Error('too few of the images show a face');
        underWay += 1;
        const isAdded = await add(visitor, number++);
        underWay -= 1;
        if (isAdded) added += 1;
      }
    };
    const add = async (visitor: Visitor, each: number) => {
      const at = each % subjects.length;
      const path = `/predict/face?command=${commands[at]}&apikey=${key}`;
      const form = formOf(await imageOf(subjects, at, each));
      const { status } = await askFor(visitor, { method: 'POST', path, ...form });
      if (!(Number(status) > 0 || status === -1)) throw new Error(`an enrolment was answered ${status}`);
      return Number(status) > 0;
    };
    await Promise.all(Array.from({ length: atOnce }, () => withVisitor(url, runWorker)));
    return number - added;
  });
}

/** "This is not X": the first of two people is distinguished from the first image of the second. */
export async function correct({ service: { url, key }, modelId }: At): Promise<void> {
  await withVisitor(url, async (visitor) => {
    const images = listIn(
      await askFor(visitor, api(key, 'GET', `/api/perceptions/${modelId}/images?limit=100`)),
    );
    const [one] = images;
    const other = images.find((image) => image['person_id'] !== one?.['person_id']);
    const path = `/api/people/${one?.['person_id']}/corrections?image_id=${other?.['id']}`;
    await askFor(visitor, api(key, 'POST', path), '201');
  });
}

/** Number `number` of the images of a subject. */
export async function imageOf(subjects: readonly Subject[], at: number, number: number): Promise<Buffer> {
  const { faces = [] } = subjects[at] ?? {};
  const face = faces[Math.floor(number / subjects.length) % faces.length];
  if (face === undefined) throw new Error(`there is no subject ${at}`);
  return vary(face, number);
}

export async function withVisitor<T>(url: string, work: (visitor: Visitor) => Promise<T>): Promise<T> {
  const visitor = createVisitor(url);
  try {
    return await work(visitor);
  } finally {
    await visitor.close();
  }
}

/** Throws for another answer than was due. */
export async function askFor(visitor: Visitor, sent: Sent, due = '200') {
  const { outcome, text } = await visitor.ask(sent);
  if (outcome !== due)
    throw new Error(`${sent.method} ${sent.path.replace(/apikey=.*/, '')}: ${outcome} ${text}`);
  return readObject(text);
}

function listIn(page: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(page['data']) ? page['data'].map(readObject) : [];
}
