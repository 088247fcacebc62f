import sharp from 'sharp';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { between, pick, random } from '../kill/chance.js';
import { api } from '../load/api-kinds.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { settledImages, stayingPeople } from './face-ledger.js';
import type { Operation } from './run-operations.js';
import type { Stage } from './stage.js';

/** Operations on faces: creation by v1, changes by the management API. */
export const faceOperations: readonly Operation<Omit<Stage, 'visitor'>>[] = [
  { weight: 2, perform: makePerson },
  { weight: 8, perform: enrol },
  { weight: 2, perform: deleteImage },
  { weight: 2, perform: moveImage },
  { weight: 1, perform: mergePeople },
];

/** Key ids that images are added under. */
const keyIds = 20;
/** Merging leaves this number. */
const minPeople = 4;

async function makePerson({ visitor, keys, modelId, ledger }: Stage): Promise<void> {
  const path = `/predict/face?command=create_person&person_name=Ada&model_id=${modelId}&apikey=${keys.unlimited}`;
  ledger.calls.unlimited.sent += 1;
  const { outcome, text } = await visitor.ask({ method: 'POST', path });
  if (outcome !== '200') return;
  ledger.calls.unlimited.answered += 1;
  ledger.faces.people.set(Number(readObject(text)['status']), { isMerged: 'no', into: null });
}

/** To an existing person, or under a key id, whose person is created with the first image. */
async function enrol({ visitor, keys, modelId, ledger }: Stage): Promise<void> {
  const person = random() < 0.5 ? pick(stayingPeople(ledger.faces)) : undefined;
  const to = person ?? `key ${Math.floor(random() * keyIds)}`;
  const command =
    person === undefined
      ? `insert_person_image_key_id&key_id=${encodeURIComponent(to)}`
      : `insert_person_image&person_id_filter=${person}`;
  const image = await drawLook();
  const path = `/predict/face?command=${command}&model_id=${modelId}&apikey=${keys.unlimited}`;
  ledger.faces.sent += 1;
  ledger.calls.unlimited.sent += 1;
  const { outcome, text } = await visitor.ask({ method: 'POST', path, ...formOf(image) });
  if (outcome !== '200') return;
  const imageId = Number(readObject(text)['status']);
  // Another client merged the person meanwhile.
  if (imageId === -2 && person !== undefined && !stayingPeople(ledger.faces).includes(person)) return;
  // One drawing in hundreds is not detected as a face.
  if (imageId === -1) return;
  if (!(imageId > 0)) throw new Error(`an enrolment was answered ${text}`);
  ledger.calls.unlimited.answered += 1;
  ledger.faces.images.set(imageId, { image, owners: [to], isDeleted: 'no', isBusy: false });
}

async function deleteImage({ visitor, keys, ledger }: Stage): Promise<void> {
  const [id, entry] = pick(settledImages(ledger.faces)) ?? [];
  if (entry === undefined) return;
  entry.isDeleted = 'maybe';
  const { outcome, text } = await visitor.ask(api(keys.unlimited, 'DELETE', `/api/face-images/${id}`));
  if (!outcome.startsWith('4') && outcome !== '200') return;
  if (readObject(text)['images'] !== 1) throw new Error(`a deletion was answered ${text}`);
  entry.isDeleted = 'yes';
  ledger.faces.changed += 1;
}

async function moveImage({ visitor, keys, modelId, ledger }: Stage): Promise<void> {
  const [id, entry] = pick(settledImages(ledger.faces)) ?? [];
  const to = pick(stayingPeople(ledger.faces));
  if (entry === undefined || to === undefined) return;
  const before = entry.owners;
  entry.isBusy = true;
  entry.owners = [...before, to];
  const body = JSON.stringify({ image_ids: [id], person_id: to });
  const sent = api(keys.unlimited, 'POST', `/api/perceptions/${modelId}/images/move`, body);
  const { outcome } = await visitor.ask(sent);
  entry.isBusy = false;
  if (outcome === '200') entry.owners = [to];
  // Refused: `to` was merged meanwhile.
  else if (outcome.startsWith('4')) entry.owners = before;
  ledger.faces.changed += Number(outcome === '200');
}

async function mergePeople({ visitor, keys, ledger }: Stage): Promise<void> {
  const staying = stayingPeople(ledger.faces);
  const from = pick(staying);
  const into = pick(staying.filter((id) => id !== from));
  const entry = ledger.faces.people.get(from ?? 0);
  if (staying.length < minPeople || entry === undefined || into === undefined) return;
  Object.assign(entry, { isMerged: 'maybe', into });
  const body = JSON.stringify({ into });
  const { outcome } = await visitor.ask(api(keys.unlimited, 'POST', `/api/people/${from}/merge`, body));
  if (outcome === '200') entry.isMerged = 'yes';
  // Refused: `into` was merged meanwhile, or an image was added.
  else if (outcome.startsWith('4')) Object.assign(entry, { isMerged: 'no', into: null });
  ledger.faces.changed += Number(outcome === '200');
}

/** A unique drawn face, so that a search by it must find its own image first. */
export async function drawLook(): Promise<Buffer> {
  const tiltDeg = between(-15, 15);
  const drawn = await drawFaces(240, 240, [
    { x: between(110, 130), y: between(110, 130), unit: between(4.2, 5.4), tiltDeg },
  ]);
  const light = { brightness: between(0.85, 1.1), saturation: between(0.7, 1.3), hue: between(-15, 15) };
  return sharp(drawn)
    .modulate({ ...light, hue: Math.round(light.hue) })
    .jpeg({ quality: 92 })
    .toBuffer();
}
