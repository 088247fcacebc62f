import { tinyOnnx } from '#server/training/models/fixtures/tiny-onnx.js';
import { pick, random } from '../../kill/chance.js';
import { formOf } from '../../load/form.js';
import { readObject } from '../../load/outcome.js';
import type { Operation } from '../run-operations.js';
import { drawImage } from './draw-image.js';
import { type ModelEntry, staying } from './ledger.js';
import { deleteModel, deleteVersion, ownModel, switchVersion } from './own-model.js';
import { type ApiAnswer, type CustomStage, call, filePart, isAnswered, isUnknown, listOf } from './stage.js';

/** Operations of a client on models that it uploads. */
export const versionOperations: readonly Operation<Omit<CustomStage, 'visitor'>>[] = [
  { weight: 4, perform: upload },
  { weight: 2, perform: changeImportOptions },
  { weight: 1, perform: uploadGarbage },
  { weight: 3, perform: switchVersion },
  { weight: 3, perform: predict },
  { weight: 2, perform: deleteVersion },
  { weight: 1, perform: (stage) => (random() < 0.3 ? deleteModel(stage) : predict(stage)) },
];

/** Labels that no other version has: they show which version gave an answer. */
const newLabels = () => ['much', 'little'].map((word) => `${word} ${performance.now()}`);

async function upload(stage: CustomStage): Promise<void> {
  const [id, entry] = (await ownModel(stage)) ?? [];
  if (entry === undefined) return;
  const labels = newLabels();
  const form = new FormData();
  form.set('options', JSON.stringify({ labels }));
  form.set('file', filePart(tinyOnnx([0.9, 0.1])), 'net.onnx');
  const isActivated = random() < 0.5;
  await makeVersion(stage, entry, { isActivated }, () =>
    call(stage, 'POST', `/api/models/${id}/versions?activate=${isActivated}`, form),
  );
}

async function changeImportOptions(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.models)[0] ?? [];
  const [number] = pick(staying(entry?.versions ?? new Map())) ?? [];
  if (entry === undefined || number === undefined) return;
  const body = { labels: newLabels() };
  await makeVersion(stage, entry, { isActivated: true }, () =>
    call(stage, 'PATCH', `/api/models/${id}/versions/${number}`, body),
  );
}

async function makeVersion(
  stage: CustomStage,
  entry: ModelEntry,
  { isActivated }: { readonly isActivated: boolean },
  make: () => Promise<ApiAnswer>,
): Promise<void> {
  const before = entry.current;
  if (isActivated) entry.current = [...before, 'unheard'];
  const made = await make();
  // One whose end a fault delayed may be under way still.
  const whileFaulty = stage.areFaultsExpected ? ['409 conflict'] : [];
  if (!isAnswered(stage, 'an upload', made, '201', '503 service_busy', ...whileFaulty)) {
    if (!isUnknown(made.outcome, stage.areFaultsExpected)) entry.current = before;
    return;
  }
  const [number, uid] = [Number(made.json['number']), String(made.json['uid'])];
  if (isActivated) entry.current = [number];
  const labels = Array.isArray(made.json['labels']) ? made.json['labels'].map(String) : [];
  const digest = await stage.digestVersion(uid);
  entry.versions.set(number, { uid, labels, digest, isDeleted: 'no' });
}

/** A refused file, of which nothing may stay. */
async function uploadGarbage(stage: CustomStage): Promise<void> {
  const [id] = (await ownModel(stage)) ?? [];
  if (id === undefined) return;
  const form = new FormData();
  form.set('file', filePart(Buffer.alloc(5000, 7)), 'net.onnx');
  isAnswered(
    stage,
    'garbage',
    await call(stage, 'POST', `/api/models/${id}/versions`, form),
    '422 model_refused',
  );
}

/** The active version is the one that was activated last. */
async function predict(stage: CustomStage): Promise<void> {
  const [id, entry] = staying(stage.ledger.models)[0] ?? [];
  const [current] = entry?.current.length === 1 ? entry.current : [];
  const version = typeof current === 'number' ? entry?.versions.get(current) : undefined;
  if (version === undefined) return;
  const path = `/predict/image?model_id=${id}&apikey=${stage.key}`;
  const sent = { method: 'POST', path, ...formOf(await drawImage('circle')) } as const;
  const { outcome, text } = await stage.visitor.ask(sent);
  const json = readObject(text);
  if (!isAnswered(stage, 'a prediction', { outcome, json }, '200', '503 service_busy')) return;
  const title = String(listOf(json['predictions'])[0]?.['class_title']);
  if (!version.labels.includes(title))
    stage.ledger.wrong.push(
      `version ${current} of model ${id} answered ${title}, not ${version.labels.join(' or ')}`,
    );
}
