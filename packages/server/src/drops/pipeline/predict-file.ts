import type { Accounts } from '../../accounts/accounts.js';
import { ServiceError } from '../../core/service-error.js';
import type { UseImage } from '../../intake/request-image.js';
import { type Call, type CallLedger, countCall } from '../../recognition/call.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import type { Recognition } from '../../recognition/recognition.js';
import type { Found } from '../../recognition/results.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import type { BuiltinModels } from '../../service/builtin/builtin-models.js';
import type { JobControl } from '../../service/jobs/job.js';
import type { Database } from '../../storage/database.js';
import type { Drop } from '../drop.js';
import { type FileBytes, withDraft, withHeld } from '../files/file-bytes.js';
import { partId } from '../files/file-parts.js';
import { type FileRow, insertEvent, updateFile } from '../files/file-rows.js';
import type { RunningExiftool } from '../keywords/exiftool.js';
import { type FileKind, findFileKind } from '../keywords/file-kind.js';
import { KeywordError } from '../keywords/keyword-error.js';
import { takeRawPreview } from '../keywords/raw-preview.js';
import type { Labels } from './labels.js';

/** Why a file of a drop can never get keywords; the message is for its owner. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
}

export interface PredictDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly exiftool: Pick<RunningExiftool, 'of'>;
  readonly accounts: Pick<Accounts, 'ownerOfKey'> & CallLedger;
  readonly recognition: Recognition;
  readonly chooseModel: ChooseModel;
  readonly builtinModels: Pick<BuiltinModels, 'defaults'>;
  /** Of an image that is analysed. */
  readonly maxImageBytes: number;
}

/** By which usage tells the calls of drops. */
const operation = 'drop.file';

/** Analyses a file that has arrived; the call is counted and the file's row updated in one unit. Returns the file's kind. */
export async function predictFile(
  deps: PredictDeps,
  drop: Drop,
  row: FileRow,
  { signal, fence }: Pick<JobControl, 'signal' | 'fence'>,
): Promise<FileKind> {
  if (row.size_bytes === 0) throw notAnImage('it is empty');
  return withHeld(deps.bytes, row.id, async (path) => {
    const kind = await findFileKind(deps.exiftool.of(row.account_id), path, signal);
    if (kind.kind === 'other') throw notAnImage(kind.reason);
    await withImage(deps, row, kind, path, signal, (imagePath) =>
      analyse(deps, drop, row, imagePath, { signal, fence }),
    );
    return kind;
  });
}

function notAnImage(reason: string): FileFailure {
  return new FileFailure(`it is not an image: ${reason}`);
}

/** Works on what there is to be seen of a file: of a raw one its preview. */
async function withImage(
  { bytes, exiftool, maxImageBytes }: PredictDeps,
  { id, account_id }: FileRow,
  { kind }: FileKind,
  path: string,
  signal: AbortSignal,
  work: (imagePath: string) => Promise<void>,
): Promise<void> {
  if (kind !== 'raw') return work(path);
  await withDraft(bytes, partId(id, 'preview'), async (draft) => {
    const request = { inputPath: path, outputPath: draft.path, maxBytes: maxImageBytes };
    await takeRawPreview(exiftool.of(account_id), request, signal);
    await work(draft.path);
  });
}

async function analyse(
  deps: PredictDeps,
  drop: Drop,
  row: FileRow,
  path: string,
  { signal, fence }: Pick<JobControl, 'signal' | 'fence'>,
): Promise<void> {
  const { accounts } = deps;
  const caller = await accounts.ownerOfKey(drop.keyId);
  if (caller === null) {
    throw new ServiceError('invalid_api_key', 'the key of the drop was revoked: give the drop a new key');
  }
  await countCall(accounts, caller, operation, signal, (call) =>
    recognise(
      deps,
      drop,
      {
        ...call,
        priority: 'batch',
        refuseDamage: true,
        alongside: (recorded) => [...record(deps, row, recorded), ...fence],
      },
      (work) => work({ kind: 'file', path }),
    ),
  ).catch(rethrowLasting);
}

async function recognise(
  { recognition, chooseModel, builtinModels }: PredictDeps,
  { settings }: Drop,
  call: Call,
  useImage: UseImage,
): Promise<unknown> {
  const { modelReference, parts, detail, textLanguages } = settings;
  if (modelReference === null) {
    return recognition.recogniseGeneral(call, useImage, {
      parts: new Set(parts),
      mode: 'basic',
      models: builtinModels.defaults.drops,
      detail,
      ...(textLanguages.length > 0 && { textLanguages }),
    });
  }
  const model = await chooseModel(call.reservation.caller.accountId, modelReference);
  return model.type === 'classification'
    ? recognition.recogniseClasses(call, useImage, { model })
    : recognition.recogniseObjects(call, useImage, { model, ...defaultThresholds, detail });
}

function record(
  { database, clock }: PredictDeps,
  { id, account_id, modified_at }: FileRow,
  { fileid, found }: { readonly fileid: string; readonly found: Found },
) {
  const labels = JSON.stringify(toLabels(found));
  return [
    // Unless its client took it back meanwhile: then it will be looked at again.
    updateFile(database, id, ['arrived'], {
      state: 'predicted',
      fileid,
      labels,
      failing_since: null,
      error: null,
    }).where('modified_at', '=', modified_at),
    insertEvent(database, account_id, { fileId: id, at: clock(), what: 'predicted', detail: fileid }),
  ];
}

function toLabels({ objects = [], classes = [], texts = [], faces = [] }: Found): Labels {
  return {
    objects: objects.map(({ label: { title }, score, box }) => ({ title, score, box })),
    classes: classes.map(({ label: { title }, score }) => ({ title, score })),
    texts: texts.map(({ text, score }) => ({ text, score })),
    faces: faces.map(({ score, box, person }) => ({
      score,
      box,
      person: person ? { name: person.name, similarity: person.similarity } : null,
    })),
  };
}

/** What no further attempt at this file will fix. */
function rethrowLasting(error: unknown): never {
  const isLasting =
    error instanceof ServiceError && ['unsupported_image', 'file_too_large', 'no_file'].includes(error.code);
  if (!isLasting) throw error;
  const advice =
    error.code === 'file_too_large' ? '; send a smaller one, or raise maxPixels of the service' : '';
  throw new FileFailure(`${error.message}${advice}`, { cause: error });
}

/** Of metadata: what no further attempt will fix. */
export function isLastingKeywordError(error: unknown): error is KeywordError {
  return (
    error instanceof KeywordError && ['damaged', 'too-large', 'no-preview', 'not-kept'].includes(error.code)
  );
}
