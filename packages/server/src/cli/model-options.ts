import { firstAccount } from '../accounts/first-key.js';
import type { ModelTask } from '../training/models/model.js';

export const accountOption = ['--account <name>', 'whose model it is', firstAccount] as const;

export const tasks: readonly ModelTask[] = ['classification', 'object_detection'];

/** Of a model or a version, as it is typed. */
export function toNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not a number; custom list shows the numbers of models`);
  return Number(text);
}
