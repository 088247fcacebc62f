import { api } from '../load/api-kinds.js';
import { formOf } from '../load/form.js';
import { detection } from '../load/good-kinds.js';
import { readObject } from '../load/told.js';
import type { Visitor } from '../load/visitor.js';
import type { Ledger, Payer } from './ledger.js';

/** What an act needs: a connection, the keys of both payers, what to write down. */
export interface Stage {
  readonly visitor: Visitor;
  readonly keys: Readonly<Record<Payer, string>>;
  readonly picture: Buffer;
  readonly faces: FacesOnStage;
  readonly ledger: Ledger;
}

export interface FacesOnStage {
  readonly modelId: number;
  /** Pictures with a face, of different looks. */
  readonly pictures: readonly Buffer[];
}

interface Act {
  readonly weight: number;
  /** Asks for one change and writes it down: as possible before it is sent, as certain when it is answered. */
  perform(stage: Stage): Promise<void>;
}

/** More than these are not kept valid: an account may have a hundred. */
const maxValidKeys = 60;

export const acts: readonly Act[] = [
  { weight: 8, perform: (stage) => detect(stage, 'unlimited') },
  { weight: 6, perform: (stage) => detect(stage, 'limited') },
  { weight: 3, perform: deleteFile },
  { weight: 2, perform: makeKey },
  { weight: 3, perform: renameKey },
  { weight: 2, perform: revokeKey },
  { weight: 2, perform: watchUsage },
  { weight: 1, perform: makePerson },
  { weight: 8, perform: enrol },
];

async function detect({ visitor, keys, picture, ledger }: Stage, payer: Payer): Promise<void> {
  const calls = ledger.calls[payer];
  calls.sent += 1;
  const { told, fileId } = await visitor.ask(detection(keys[payer], { picture, model: 'coco-fast' }));
  if (told !== '200') return;
  calls.answered += 1;
  if (fileId !== undefined) ledger.files.set(fileId, { payer, isDeleted: 'no' });
}

async function deleteFile({ visitor, keys, ledger }: Stage): Promise<void> {
  const [fileId, entry] = pick([...ledger.files].filter(([, { isDeleted }]) => isDeleted === 'no')) ?? [];
  if (entry === undefined) return;
  entry.isDeleted = 'maybe';
  const { told } = await visitor.ask(api(keys[entry.payer], 'DELETE', `/api/files/${fileId}`));
  if (told === '204') entry.isDeleted = 'yes';
}

async function makeKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const valid = [...ledger.keys.values()].filter(({ isRevoked }) => isRevoked !== 'yes').length;
  if (valid >= maxValidKeys) return;
  const { told, text } = await visitor.ask(api(keys.unlimited, 'POST', '/api/keys', '{"name": "new"}'));
  if (told !== '201') return;
  const { id, key } = readObject(text);
  ledger.keys.set(Number(id), { key: String(key), names: ['new'], isRevoked: 'no' });
}

async function renameKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const [id, entry] = pick([...ledger.keys].filter(([, { names }]) => names.length === 1)) ?? [];
  if (entry === undefined) return;
  const name = `renamed at ${performance.now()}`;
  entry.names = [...entry.names, name];
  const change = api(keys.unlimited, 'PATCH', `/api/keys/${id}`, JSON.stringify({ name }));
  const { told } = await visitor.ask(change);
  if (told === '200') entry.names = [name];
}

async function revokeKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const [id, entry] = pick([...ledger.keys].filter(([, { isRevoked }]) => isRevoked === 'no')) ?? [];
  if (entry === undefined) return;
  entry.isRevoked = 'maybe';
  const { told } = await visitor.ask(api(keys.unlimited, 'DELETE', `/api/keys/${id}`));
  if (told === '204') entry.isRevoked = 'yes';
}

async function watchUsage({ visitor, keys, ledger }: Stage): Promise<void> {
  const calls = ledger.calls.unlimited;
  const before = calls.counted;
  const { told, text } = await visitor.ask(api(keys.unlimited, 'GET', '/api/usage'));
  if (told !== '200') return;
  const total = Number(readObject(text)['total']);
  if (total < before) ledger.setbacks.push(`usage told ${total} calls after ${before}`);
  calls.counted = Math.max(calls.counted, total);
}

async function makePerson({ visitor, keys, faces, ledger }: Stage): Promise<void> {
  const path = `/predict/face?command=create_person&person_name=Ada&model_id=${faces.modelId}&apikey=${keys.unlimited}`;
  ledger.calls.unlimited.sent += 1;
  const { told, text } = await visitor.ask({ method: 'POST', path });
  if (told !== '200') return;
  ledger.calls.unlimited.answered += 1;
  ledger.faces.people.add(Number(readObject(text)['status']));
}

/** To a person who is there, or under a key id, whose person the first image makes. */
async function enrol({ visitor, keys, faces, ledger }: Stage): Promise<void> {
  const person = Math.random() < 0.5 ? pick([...ledger.faces.people]) : undefined;
  const to = person ?? `key ${Math.floor(Math.random() * 20)}`;
  const command =
    person === undefined
      ? `insert_person_image_key_id&key_id=${encodeURIComponent(to)}`
      : `insert_person_image&person_id_filter=${person}`;
  const look = Math.floor(Math.random() * faces.pictures.length);
  const path = `/predict/face?command=${command}&model_id=${faces.modelId}&apikey=${keys.unlimited}`;
  ledger.faces.sent += 1;
  ledger.calls.unlimited.sent += 1;
  const { told, text } = await visitor.ask({ method: 'POST', path, ...formOf(faces.pictures[look] ?? '') });
  if (told !== '200') return;
  ledger.calls.unlimited.answered += 1;
  const imageId = Number(readObject(text)['status']);
  if (!(imageId > 0)) throw new Error(`an enrolment was answered ${text}`);
  ledger.faces.images.set(imageId, { to, look });
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
