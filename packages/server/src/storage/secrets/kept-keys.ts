import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ifMissing } from '../missing-file.js';
import { keyCheckOf } from './key-check.js';
import { readKeyFile } from './key-file.js';

/**
 * The file beside one of these keys that has the key with this check value: one that a rotation replaced (`….until-TIME`), or
 * that was about to replace it (`….next`). A backup of before a rotation wants the first, a rotation that was cut the second.
 * @returns null where there is none
 */
export async function findKeptKey(keyPaths: readonly string[], check: string): Promise<string | null> {
  for (const path of new Set(keyPaths)) {
    const [dir, name] = [dirname(path), basename(path)];
    const names = (await readdir(dir).catch(ifMissing([]))).filter(
      (each) => each === name || each === `${name}.next` || each.startsWith(`${name}.until-`),
    );
    for (const each of names.sort()) {
      // One that holds no key, or that cannot be read, is not the one; whoever finds none says what is missing.
      const key = await readKeyFile(join(dir, each)).catch(() => null);
      if (key !== null && keyCheckOf(key) === check) return join(dir, each);
    }
  }
  return null;
}
