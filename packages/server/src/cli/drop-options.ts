import { firstAccount } from '../accounts/first-key.js';

export const accountOption = ['--account <name>', 'whose drop it is', firstAccount] as const;
export const dropArgument = ['<id>', 'number of the drop'] as const;

/** Of a drop, as it is typed. */
export function toNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not a number; drops list shows the numbers of drops`);
  return Number(text);
}

export const noDestinationText =
  'Destination: none. Files get their keywords and stay in done/ until you delete them.';
