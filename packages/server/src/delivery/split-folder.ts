import { DeliveryError } from './destination.js';

/** A folder of the settings in parts. Throws `settings` for one that leads upwards. */
export function splitFolder(folder: string): {
  readonly isAbsolute: boolean;
  readonly parts: readonly string[];
} {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new DeliveryError('settings', 'the folder of the destination may not have .. in it');
  }
  return { isAbsolute: folder.startsWith('/'), parts };
}
