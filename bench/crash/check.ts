import { concurrently } from '../concurrently.js';
import { api } from '../load/api-kinds.js';
import { readObject } from '../load/outcome.js';
import type { Visitor } from '../load/visitor.js';
import type { Ledger, Payer } from './ledger.js';

/** Compares a restarted service with the ledger; returns descriptions of the differences. */
export async function findLosses(
  visitor: Visitor,
  keys: Readonly<Record<Payer, string>>,
  ledger: Ledger,
): Promise<readonly string[]> {
  return [
    ...(await lostKeys(visitor, keys.unlimited, ledger)),
    ...(await lostCommandKeys(visitor, ledger)),
    ...(await lostFiles(visitor, keys, ledger)),
    ...(await wrongUsage(visitor, keys.unlimited, ledger, 'unlimited')),
    ...(await wrongUsage(visitor, keys.limited, ledger, 'limited')),
    ...ledger.setbacks.splice(0),
  ];
}

async function lostKeys(visitor: Visitor, ownKey: string, { keys }: Ledger): Promise<string[]> {
  const kept = await listKeys(visitor, ownKey);
  const losses: string[] = [];
  for (const [id, entry] of keys) {
    const row = kept.get(id);
    if (!row) {
      losses.push(`key ${id} is gone`);
      continue;
    }
    if (!entry.names.includes(row.name))
      losses.push(`key ${id} is named ${row.name}, not ${entry.names.join(' or ')}`);
    if (entry.isRevoked !== 'maybe' && row.isRevoked !== (entry.isRevoked === 'yes')) {
      losses.push(`key ${id}: revoked ${row.isRevoked}, acknowledged ${entry.isRevoked}`);
    }
    const { outcome } = await visitor.ask(api(entry.key, 'GET', '/api/account'));
    const due = row.isRevoked ? '401 invalid_api_key' : '200';
    if (outcome !== due) losses.push(`key ${id} is answered ${outcome} where ${due} is due`);
    // Open outcomes are settled now, and must stay so.
    entry.names = [row.name];
    entry.isRevoked = row.isRevoked ? 'yes' : 'no';
  }
  return losses;
}

interface KeyRow {
  readonly name: string;
  readonly isRevoked: boolean;
}

async function listKeys(visitor: Visitor, ownKey: string): Promise<ReadonlyMap<number, KeyRow>> {
  const rows = new Map<number, KeyRow>();
  let cursor: unknown = null;
  do {
    const from = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const { text } = await visitor.ask(api(ownKey, 'GET', `/api/keys?limit=100${from}`));
    const page = readObject(text);
    for (const row of Array.isArray(page['data']) ? page['data'].map(readObject) : []) {
      rows.set(Number(row['id']), { name: String(row['name']), isRevoked: row['revoked_at'] !== null });
    }
    cursor = page['next_cursor'];
  } while (typeof cursor === 'string');
  return rows;
}

async function lostCommandKeys(visitor: Visitor, { commandKeys }: Ledger): Promise<string[]> {
  const losses: string[] = [];
  for (const [index, key] of commandKeys.entries()) {
    const { outcome } = await visitor.ask(api(key, 'GET', '/api/account'));
    if (outcome !== '200') losses.push(`key ${index} of the command line is answered ${outcome}`);
  }
  return losses;
}

async function lostFiles(
  visitor: Visitor,
  keys: Readonly<Record<Payer, string>>,
  { files }: Ledger,
): Promise<string[]> {
  const losses = await concurrently([...files], 4, async ([fileId, entry]) => {
    const { outcome } = await visitor.ask(api(keys[entry.payer], 'GET', `/api/files/${fileId}`));
    if (outcome !== '200' && outcome !== '404 not_found') return [`file ${fileId} is answered ${outcome}`];
    const isGone = outcome !== '200';
    if (entry.isDeleted !== 'maybe' && isGone !== (entry.isDeleted === 'yes')) {
      return [`file ${fileId}: deleted ${entry.isDeleted}, answered ${outcome}`];
    }
    entry.isDeleted = isGone ? 'yes' : 'no';
    if (isGone) return [];
    const kept = await visitor.ask(api(keys[entry.payer], 'GET', `/api/files/${fileId}/content`));
    return kept.outcome === '200' ? [] : [`the image of file ${fileId} is answered ${kept.outcome}`];
  });
  return losses.flat();
}

async function wrongUsage(visitor: Visitor, key: string, { calls }: Ledger, payer: Payer): Promise<string[]> {
  const entry = calls[payer];
  const { text } = await visitor.ask(api(key, 'GET', '/api/usage'));
  const total = Number(readObject(text)['total']);
  const wrong = [
    ...(total >= entry.answered ? [] : [`${total} calls counted of ${entry.answered} answered`]),
    ...(total <= entry.sent ? [] : [`${total} calls counted of ${entry.sent} sent`]),
    ...(total >= entry.counted ? [] : [`${total} calls counted after ${entry.counted} before`]),
    ...(Number.isNaN(total) ? ['no usage is returned'] : []),
  ];
  entry.counted = total;
  return wrong.map((words) => `${payer}: ${words}`);
}
