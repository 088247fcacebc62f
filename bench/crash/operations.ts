import { pick } from '../kill/chance.js';
import { api } from '../load/api-kinds.js';
import { detection } from '../load/good-kinds.js';
import { readObject } from '../load/outcome.js';
import { faceOperations } from './face-operations.js';
import type { Payer } from './ledger.js';
import type { Operation } from './run-operations.js';
import type { Stage } from './stage.js';

/** More than these are not kept valid: an account may have a hundred. */
const maxValidKeys = 60;

const otherOperations: readonly Operation<Omit<Stage, 'visitor'>>[] = [
  { weight: 8, perform: (stage) => detect(stage, 'unlimited') },
  { weight: 6, perform: (stage) => detect(stage, 'limited') },
  { weight: 3, perform: deleteFile },
  { weight: 2, perform: makeKey },
  { weight: 3, perform: renameKey },
  { weight: 2, perform: revokeKey },
  { weight: 2, perform: watchUsage },
];

/** All of them, or those of one part alone. */
export function operationsOf(only: 'faces' | undefined): readonly Operation<Omit<Stage, 'visitor'>>[] {
  return only === 'faces' ? faceOperations : [...otherOperations, ...faceOperations];
}

async function detect({ visitor, keys, image, ledger }: Stage, payer: Payer): Promise<void> {
  const calls = ledger.calls[payer];
  calls.sent += 1;
  const { outcome, fileId } = await visitor.ask(detection(keys[payer], { image, model: 'coco-fast' }));
  if (outcome !== '200') return;
  calls.answered += 1;
  if (fileId !== undefined) ledger.files.set(fileId, { payer, isDeleted: 'no' });
}

async function deleteFile({ visitor, keys, ledger }: Stage): Promise<void> {
  const [fileId, entry] = pick([...ledger.files].filter(([, { isDeleted }]) => isDeleted === 'no')) ?? [];
  if (entry === undefined) return;
  entry.isDeleted = 'maybe';
  const { outcome } = await visitor.ask(api(keys[entry.payer], 'DELETE', `/api/files/${fileId}`));
  if (outcome === '204') entry.isDeleted = 'yes';
}

async function makeKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const valid = [...ledger.keys.values()].filter(({ isRevoked }) => isRevoked !== 'yes').length;
  if (valid >= maxValidKeys) return;
  const { outcome, text } = await visitor.ask(api(keys.unlimited, 'POST', '/api/keys', '{"name": "new"}'));
  if (outcome !== '201') return;
  const { id, key } = readObject(text);
  ledger.keys.set(Number(id), { key: String(key), names: ['new'], isRevoked: 'no' });
}

async function renameKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const [id, entry] = pick([...ledger.keys].filter(([, { names }]) => names.length === 1)) ?? [];
  if (entry === undefined) return;
  const name = `renamed at ${performance.now()}`;
  entry.names = [...entry.names, name];
  const change = api(keys.unlimited, 'PATCH', `/api/keys/${id}`, JSON.stringify({ name }));
  const { outcome } = await visitor.ask(change);
  if (outcome === '200') entry.names = [name];
}

async function revokeKey({ visitor, keys, ledger }: Stage): Promise<void> {
  const [id, entry] = pick([...ledger.keys].filter(([, { isRevoked }]) => isRevoked === 'no')) ?? [];
  if (entry === undefined) return;
  entry.isRevoked = 'maybe';
  const { outcome } = await visitor.ask(api(keys.unlimited, 'DELETE', `/api/keys/${id}`));
  if (outcome === '204') entry.isRevoked = 'yes';
}

async function watchUsage({ visitor, keys, ledger }: Stage): Promise<void> {
  const calls = ledger.calls.unlimited;
  const before = calls.counted;
  const { outcome, text } = await visitor.ask(api(keys.unlimited, 'GET', '/api/usage'));
  if (outcome !== '200') return;
  const total = Number(readObject(text)['total']);
  if (total < before) ledger.setbacks.push(`usage reported ${total} calls after ${before}`);
  calls.counted = Math.max(calls.counted, total);
}
