import { toName } from '../../accounts/names.js';
import { quote } from '../../core/quote.js';
import type { FaceDatabase } from '../../faces/face-database.js';
import type { Person } from '../../faces/person.js';
import type { CompatDeps, CompatHandler, CompatRequest } from '../common/compat-route.js';
import { everybody } from '../common/everybody.js';
import { ignoreGone } from '../common/ignore-gone.js';
import { type ComprefaceCall, openCall, readSmallJson } from './call.js';
import { Refusal } from './errors.js';

/** Names that one answer lists. */
const maxListed = 100_000;

/** `GET /recognition/subjects`: names, each once, the oldest first. */
export function answerSubjects(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const names: string[] = [];
    for await (const { name } of everybody(deps.faces.people, call, call.perception, call.signal)) {
      if (names.push(name) >= maxListed) break;
    }
    return { body: { subjects: [...new Set(names.reverse())] } };
  };
}

/** `POST /recognition/subjects`. */
export function answerAddSubject(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const { accountId, perception } = call;
    const name = await readSubject(deps, request, call);
    const exists = () => new Refusal('subjectExists', 'Subject already exists');
    if ((await findSubject(deps.faces, call, name)) !== null) throw exists();
    const person = await deps.faces.people.create(accountId, perception.id, { name });
    // Another request created one meanwhile: the older stays.
    const first = await findSubject(deps.faces, call, name);
    if (first !== null && first.id < person.id) {
      await deps.faces.deletion.removePerson(accountId, person.id);
      throw exists();
    }
    return { status: 201, body: { subject: person.name } };
  };
}

/** `DELETE /recognition/subjects`: everybody with all images. */
export function answerDeleteSubjects(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    return { body: { deleted: (await removeEverybody(deps, call)).people } };
  };
}

/** `PUT /recognition/subjects/{subject}`: another name; that of another subject makes one of both. */
export function answerRenameSubject(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const { people, regrouping } = deps.faces;
    const name = await readSubject(deps, request, call);
    const person = await requireSubject(deps.faces, call, request.params['subject']);
    const into = await findSubject(deps.faces, call, name);
    if (into === null) await people.change(call.accountId, person.id, { name });
    // Clients of CompreFace know no key ids: that of the other is kept, as its name is.
    else if (into.id !== person.id)
      await regrouping.merge(call.accountId, person.id, into.id, { dropsKeyId: true });
    return { body: { updated: true } };
  };
}

/** `DELETE /recognition/subjects/{subject}`. */
export function answerDeleteSubject(deps: CompatDeps): CompatHandler {
  return async (request, _reply, signal) => {
    const call = await openCall(deps, request, signal);
    const person = await requireSubject(deps.faces, call, request.params['subject']);
    const removed = await deps.faces.deletion.removePerson(call.accountId, person.id).catch(ignoreGone);
    if (removed === null) throw unknownSubject(person.name);
    return { body: { subject: person.name } };
  };
}

/** Of people with the same name the oldest; null without one. */
export async function findSubject(
  { people }: Pick<FaceDatabase, 'people'>,
  { accountId, perception }: Pick<ComprefaceCall, 'accountId' | 'perception'>,
  subject: string,
): Promise<Person | null> {
  const name = toName(subject);
  const [first] = name === null ? [] : await people.withName(accountId, perception.id, name);
  return first ?? null;
}

/** Removes everybody of the collection, as long as the client waits. */
export async function removeEverybody(
  deps: CompatDeps,
  call: ComprefaceCall,
): Promise<{ readonly people: number; readonly images: number }> {
  const removed = { people: 0, images: 0 };
  for await (const { id } of everybody(deps.faces.people, call, call.perception, call.signal)) {
    const receipt = await deps.faces.deletion.removePerson(call.accountId, id).catch(ignoreGone);
    removed.people += receipt?.people ?? 0;
    removed.images += receipt?.images ?? 0;
  }
  return removed;
}

async function requireSubject(
  faces: Pick<FaceDatabase, 'people'>,
  call: ComprefaceCall,
  subject = '',
): Promise<Person> {
  const person = await findSubject(faces, call, subject);
  if (person !== null) return person;
  throw unknownSubject(subject);
}

function unknownSubject(subject: string): Refusal {
  return new Refusal('unknownSubject', `Subject ${quote(subject)} not found`);
}

/** `{"subject": name}`; a name as people have them. */
async function readSubject(deps: CompatDeps, request: CompatRequest, call: ComprefaceCall): Promise<string> {
  const body = await readSmallJson(deps, request, call);
  const given = typeof body === 'object' && body !== null && 'subject' in body ? body.subject : undefined;
  const name = typeof given === 'string' ? toName(given) : null;
  if (name !== null) return name;
  throw new Refusal('badValue', 'subject must be a name of 1 to 200 characters');
}
