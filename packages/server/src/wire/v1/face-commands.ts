import type { Caller } from '../../accounts/accounts.js';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import type { Enrolled, EnrolmentResult } from '../../faces/enrolment.js';
import type { FaceDatabase } from '../../faces/face-database.js';
import type { Perception } from '../../faces/perception.js';
import type { RequestImage } from '../../intake/request-image.js';
import { type CallLedger, countCall } from '../../recognition/call.js';
import type { WireValue } from '../json.js';
import type { FaceRequest } from './read-face-request.js';

type CommandPostType = 'create_person' | 'insert_person_image';

/** No person; what `person_id` holds where none was made. */
const noPerson = -1;

interface CommandDeps {
  readonly faces: Pick<FaceDatabase, 'perceptions' | 'people' | 'enrolment'>;
  readonly ledger: CallLedger;
}

/** A request to `/predict/face`, of a caller who is known. */
export interface FaceCall {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Throws `no_file` and the like; asked when the ids are good. */
  readonly chooseImage: () => RequestImage;
}

export async function createPerson(
  { faces, ledger }: CommandDeps,
  { modelId, personName }: Extract<FaceRequest, { kind: 'create_person' }>,
  { caller, signal }: FaceCall,
): Promise<WireValue> {
  const perception = await findPerception(faces, caller, modelId);
  if (perception === null) return refuseCommand('create_person', -1, noPerception(modelId));
  if (personName === null) {
    const wanted = 'invalid person name: give 1 to 200 characters in UTF-8 as person_name';
    return refuseCommand('create_person', -2, wanted);
  }
  return countCall(ledger, caller, 'v1.create_person', signal, async ({ reservation }) => {
    const { id } = await faces.people.create(
      caller.accountId,
      perception.id,
      { name: personName },
      (statements) => ledger.settle(reservation, statements),
    );
    return acceptCommand('create_person', id);
  }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'account_full') throw error;
    return refuseCommand('create_person', 0, error.message);
  });
}

export async function insertByPersonId(
  deps: CommandDeps,
  { personId }: Extract<FaceRequest, { kind: 'insert_person_image' }>,
  call: FaceCall,
): Promise<WireValue> {
  const { accountId } = call.caller;
  const person = personId === null ? null : await deps.faces.people.find(accountId, personId);
  if (person === null) {
    return refuseInsert(
      personId === null
        ? 'invalid person id: give the id of the person, a positive integer, as person_id_filter'
        : `invalid person id: ${personId} is not one of your people`,
    );
  }
  const perception = await deps.faces.perceptions.read(accountId, person.perceptionId);
  return insert(deps, perception, { person }, call);
}

export async function insertByKeyId(
  deps: CommandDeps,
  { modelId, keyId }: Extract<FaceRequest, { kind: 'insert_person_image_key_id' }>,
  call: FaceCall,
): Promise<WireValue> {
  const perception = await findPerception(deps.faces, call.caller, modelId);
  if (perception === null) return refuseInsert(noPerception(modelId));
  if (keyId === null) return refuseInsert('invalid key id: give 1 to 200 characters as key_id');
  return insert(deps, perception, { keyId }, call);
}

async function insert(
  { faces, ledger }: CommandDeps,
  perception: Perception,
  enrolled: Enrolled,
  { caller, signal, chooseImage }: FaceCall,
): Promise<WireValue> {
  const { use } = chooseImage();
  return countCall(ledger, caller, 'v1.insert_person_image', signal, ({ reservation }) =>
    use(async (source) => {
      const result = await faces.enrolment.add(
        caller.accountId,
        perception,
        enrolled,
        { source, signal, acceptsDegraded: true },
        (statements) => ledger.settle(reservation, statements),
      );
      return toInsertResult(result);
    }),
  ).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'account_full') return refuseCommand('insert_person_image', 0, error.message);
    // Deleted while the image was looked at.
    if (error.code === 'not_found') return refuseInsert(`invalid person id: ${error.message}`);
    throw error;
  });
}

function toInsertResult(result: EnrolmentResult): WireValue {
  switch (result.outcome) {
    case 'added':
      return acceptCommand(
        'insert_person_image',
        result.imageId,
        result.findings.map(({ advice }) => advice),
      );
    case 'no-face':
      return refuseCommand('insert_person_image', -1, 'no face detected: send an image that shows one');
    case 'refused': {
      const advice = result.findings.map((finding) => finding.advice).join('; ');
      return refuseCommand('insert_person_image', 0, `the perception takes better images only: ${advice}`);
    }
  }
}

const refuseInsert = (description: string) => refuseCommand('insert_person_image', -2, description);

async function findPerception(
  { perceptions }: Pick<FaceDatabase, 'perceptions'>,
  { accountId }: Caller,
  modelId: string | null,
): Promise<Perception | null> {
  return modelId === null ? null : perceptions.find(accountId, modelId);
}

function noPerception(modelId: string | null): string {
  return modelId === null
    ? 'invalid model id: give the id of the perception as model_id'
    : `invalid model id: ${quote(modelId)} is not one of your perceptions`;
}

/**
 * The answer of a command that could not be carried out: a result with a code from the command's table, not an error.
 * @param status 0 or below.
 */
function refuseCommand(postType: CommandPostType, status: number, description: string): WireValue {
  return answerCommand(postType, status, description, noPerson);
}

/** @param id of the person or image that was made */
function acceptCommand(postType: CommandPostType, id: number, advice: readonly string[] = []): WireValue {
  return answerCommand(postType, id, ['success', ...advice].join('; '), id);
}

function answerCommand(
  postType: CommandPostType,
  status: number,
  description: string,
  personId: number,
): WireValue {
  return {
    status,
    status_description: description,
    post_type: postType,
    // Typed clients read it before they look at the status.
    ...(postType === 'create_person' ? { person_id: personId } : {}),
  };
}
