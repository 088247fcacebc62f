import { firstAccount } from '../accounts/first-key.js';

export const streamAccountOption = ['--account <name>', 'whose stream it is', firstAccount] as const;
export const streamArgument = ['<id>', 'number of the stream'] as const;

/** Of a stream, as it is typed. */
export function toStreamNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not a number; streams list shows the numbers of streams`);
  return Number(text);
}
