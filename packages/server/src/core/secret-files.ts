import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { environmentName } from './setting-names.js';

/** A secret mounted as a file is short; a larger file was named by mistake. */
const maxSecretBytes = 64 * 1024;

interface SecretFile {
  /** The text of the file without the line break at its end; undefined with a problem. */
  readonly text?: string;
  readonly problem?: string;
}

/** `firstKey` is also read from the file that `LYNCEUS_FIRST_KEY_FILE` names, as orchestrators mount secrets. */
export function secretFileVariable(setting: string): string {
  return `${environmentName(setting)}_FILE`;
}

/** The secret in the file that a variable names. A problem names the variable and the path, and never the content. */
export function readSecretFile(variable: string, path: string, cwd: string): SecretFile {
  try {
    const bytes = readFileSync(resolve(cwd, path));
    if (bytes.length > maxSecretBytes)
      return { problem: `${variable}: ${path} has more than ${maxSecretBytes} bytes and is no secret.` };
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    if (text === '') return { problem: `${variable}: ${path} is empty: write the secret into it.` };
    return { text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `${variable}: ${path} cannot be read: ${reason}.` };
  }
}
