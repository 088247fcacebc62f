import { drawImage, hashOf } from '../crash/custom/draw-image.js';
import { settledImages } from '../crash/face-ledger.js';
import { operationsOf } from '../crash/operations.js';
import type { Operation } from '../crash/run-operations.js';
import type { Stage } from '../crash/stage.js';
import { pick } from '../kill/chance.js';
import { api } from '../load/api-kinds.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/outcome.js';
import { administrator } from '../sign-in.js';

/** What was acknowledged beside what the ledger of the crash tests has. */
export interface MoreLedger {
  /** SHA-256 of images of the dataset by their id. */
  readonly datasetImages: Map<number, string>;
  /** Cookies of sessions. */
  readonly sessions: string[];
  /** SHA-256 of files of the drop by their name. */
  readonly uploads: Map<string, string>;
  searches: number;
}

export interface UpgradeStage extends Stage {
  readonly datasetId: number;
  readonly more: MoreLedger;
}

export type UpgradeOperation = Operation<Omit<UpgradeStage, 'visitor'>>;

/** More only lengthen the check. */
const maxDatasetImages = 300;

export const upgradeOperations: readonly UpgradeOperation[] = [
  ...operationsOf(undefined),
  { weight: 1, perform: signIn },
  { weight: 3, perform: search },
  { weight: 3, perform: addDatasetImage },
];

async function signIn({ visitor, more }: UpgradeStage): Promise<void> {
  const { email, password } = administrator;
  const { outcome, headers } = await visitor.ask({
    method: 'POST',
    path: '/api/session',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const cookie = [headers?.['set-cookie'] ?? []].flat().find((each) => each.startsWith('lynceus_session='));
  if (outcome === '201' && cookie !== undefined) more.sessions.push(cookie.split(';')[0] ?? '');
  else if (outcome.startsWith('20')) throw new Error(`a sign-in was answered ${outcome} without a session`);
}

/** By an image that no client is changing: it must be found, through whichever replica. */
async function search({ visitor, keys, modelId, ledger, more }: UpgradeStage): Promise<void> {
  const [id, entry] = pick(settledImages(ledger.faces)) ?? [];
  if (entry === undefined) return;
  const sent = api(keys.unlimited, 'POST', `/api/perceptions/${modelId}/search`);
  const headers = { ...sent.headers, 'content-type': 'application/octet-stream' };
  const { outcome, text } = await visitor.ask({ ...sent, headers, body: entry.image });
  if (outcome !== '200' || entry.isDeleted !== 'no') return;
  more.searches += 1;
  const { faces } = readObject(text);
  const [face] = Array.isArray(faces) ? faces.map(readObject) : [];
  const candidates = Array.isArray(face?.['candidates']) ? face['candidates'].map(readObject) : [];
  if (candidates[0]?.['image_id'] !== id)
    throw new Error(`a search by face image ${id} found ${JSON.stringify(candidates[0])} first`);
}

async function addDatasetImage({ visitor, keys, datasetId, more }: UpgradeStage): Promise<void> {
  if (more.datasetImages.size >= maxDatasetImages) return;
  const image = await drawImage(Math.random() < 0.5 ? 'circle' : 'square');
  const sent = api(keys.unlimited, 'POST', `/api/datasets/${datasetId}/images`);
  const form = formOf(image);
  const headers = { ...sent.headers, ...form.headers };
  const { outcome, text } = await visitor.ask({ ...sent, headers, body: form.body });
  if (outcome !== '200') return;
  const { data } = readObject(text);
  const [verdict] = Array.isArray(data) ? data.map(readObject) : [];
  // Of one that is sent again after a broken connection the first attempt may have been the one that added it.
  const imageId = Number(verdict?.['image_id']);
  if (!(imageId > 0)) throw new Error(`an image of a dataset was answered ${text}`);
  more.datasetImages.set(imageId, hashOf(image));
}
