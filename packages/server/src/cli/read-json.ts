import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { explainFaults } from '../http/api/explain-faults.js';
import type { CommandContext } from './context.js';

/** What a file has as JSON, of this schema; undefined without a file. Errors quote nothing of it, since it may hold secrets. */
export async function readJson<Schema extends TSchema>(
  { cwd }: CommandContext,
  what: string,
  file: string | undefined,
  schema: Schema,
  fold: (value: unknown) => unknown = (value) => value,
): Promise<Static<Schema> | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read`);
  });
  let value: unknown;
  try {
    value = fold(JSON.parse(text));
  } catch {
    // Nothing of the file is quoted: it may hold secrets.
    throw new Error(`${path} is not JSON`);
  }
  if (Value.Check(schema, value)) return value;
  throw new Error(`${path}: ${explainFaults(schema, value, what)}`);
}
