import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { CatalogError } from '../catalog-error.js';
import type { CatalogModel } from '../describe-entry.js';
import { publish, writeSynced } from '../durable-file.js';
import { modelNumbers } from '../entry.js';
import type { Layout } from '../layout.js';

const Numbers = Type.Record(Type.String(), Type.Integer());

/**
 * The number of an added model, durable before it is used. A number belongs to an id for ever: a model that is removed and added
 * again has its number again, and no other model gets it.
 * @param wanted The number that it has on another machine; another one is given where that is taken here.
 */
export async function allotNumber(
  layout: Layout,
  id: string,
  models: readonly CatalogModel[],
  wanted?: number,
): Promise<number> {
  const numbers = await readNumbers(layout);
  for (const { entry } of models) {
    if (entry.modelId !== undefined) numbers.set(entry.id, entry.modelId);
  }
  const known = numbers.get(id);
  const taken = new Set(numbers.values());
  const number = known ?? (wanted !== undefined && !taken.has(wanted) ? wanted : firstFree(taken));
  if (known === undefined) {
    numbers.set(id, number);
    const scratch = join(layout.scratch, randomUUID());
    await writeSynced(scratch, JSON.stringify(Object.fromEntries(numbers)));
    await publish(scratch, layout.numbers);
  }
  return number;
}

function firstFree(taken: ReadonlySet<number>): number {
  // After the last one, so that the order of numbers is the order of addition.
  const next = Math.max(modelNumbers.first - 1, ...taken) + 1;
  if (next <= modelNumbers.last) return next;
  for (let number: number = modelNumbers.first; number <= modelNumbers.last; number++) {
    if (!taken.has(number)) return number;
  }
  throw new CatalogError(
    `All numbers from ${modelNumbers.first} to ${modelNumbers.last} are taken by models that were added; use another models folder`,
  );
}

async function readNumbers(layout: Layout): Promise<Map<string, number>> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(layout.numbers, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw new CatalogError(
      `${layout.numbers} cannot be read: it holds the numbers of added models; restore it from a backup`,
      undefined,
      { cause: error },
    );
  }
  if (Value.Check(Numbers, content)) return new Map(Object.entries(content));
  throw new CatalogError(`${layout.numbers} is not as \`models add\` writes it; restore it from a backup`);
}
