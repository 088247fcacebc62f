import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const Package = Type.Object({ version: Type.String() });

/** Of this program, as its package says. */
export function readOwnVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return Value.Parse(Package, JSON.parse(text)).version;
}
